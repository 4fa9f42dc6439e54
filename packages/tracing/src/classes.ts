import { CLASSES } from './observation.ts'
import type { ObservationOf } from './observation-types.ts'

/** The class of each kind of observation: a value for `instanceof`, and a type. */
export const SvcSpan = CLASSES.span
export type SvcSpan = ObservationOf<'span'>
/** A call of a model. */
export const SvcGeneration = CLASSES.generation
export type SvcGeneration = ObservationOf<'generation'>
/** A point in time. */
export const SvcEvent = CLASSES.event
export type SvcEvent = ObservationOf<'event'>
/** A call of an embedding model. */
export const SvcEmbedding = CLASSES.embedding
export type SvcEmbedding = ObservationOf<'embedding'>
/** Work of an agent, which decides which tools and models are called. */
export const SvcAgent = CLASSES.agent
export type SvcAgent = ObservationOf<'agent'>
/** A call of a tool. */
export const SvcTool = CLASSES.tool
export type SvcTool = ObservationOf<'tool'>
/** A sequence of steps. */
export const SvcChain = CLASSES.chain
export type SvcChain = ObservationOf<'chain'>
/** A search for documents. */
export const SvcRetriever = CLASSES.retriever
export type SvcRetriever = ObservationOf<'retriever'>
/** An evaluation of an output. */
export const SvcEvaluator = CLASSES.evaluator
export type SvcEvaluator = ObservationOf<'evaluator'>
/** A check that accepts or blocks something. */
export const SvcGuardrail = CLASSES.guardrail
export type SvcGuardrail = ObservationOf<'guardrail'>
