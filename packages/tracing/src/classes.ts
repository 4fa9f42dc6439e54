import { CLASSES } from './observation.ts'
import type { ObservationOf } from './observation-types.ts'

/** An observation by the name of its kind: a value for `instanceof`, and a type. */
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
/** Work of an agent: what decides which tools and models are called. */
export const SvcAgent = CLASSES.agent
export type SvcAgent = ObservationOf<'agent'>
/** A call of a tool. */
export const SvcTool = CLASSES.tool
export type SvcTool = ObservationOf<'tool'>
/** Steps that belong together. */
export const SvcChain = CLASSES.chain
export type SvcChain = ObservationOf<'chain'>
/** A search for documents. */
export const SvcRetriever = CLASSES.retriever
export type SvcRetriever = ObservationOf<'retriever'>
/** A judgement of an answer. */
export const SvcEvaluator = CLASSES.evaluator
export type SvcEvaluator = ObservationOf<'evaluator'>
/** A check that lets something pass or stops it. */
export const SvcGuardrail = CLASSES.guardrail
export type SvcGuardrail = ObservationOf<'guardrail'>
