// What an application sees of the built package; each misuse must be an error. Compiled by types.test.ts, never run.
import * as tracing from '@svc/tracing'
import {
  type AttributesOf,
  type ObservationKind,
  observe,
  propagateAttributes,
  type SvcGeneration,
  startActiveObservation,
  startObservation,
  updateActiveObservation,
} from '@svc/tracing'

// @ts-expect-error removed in v6: the input and output of a trace are those of its root observation
tracing.setActiveTraceIO({ input: 1 })
// @ts-expect-error removed in v6 with setActiveTraceIO
startObservation('work').setTraceIO({ input: 1 })
// @ts-expect-error removed in v6: what a trace has is propagated
tracing.createTraceAttributes({ name: 'n' })
// @ts-expect-error removed in v6 with createTraceAttributes
export type Removed = tracing.SvcTraceAttributes

// @ts-expect-error removed in v6: an import of it fails as well
import { createTraceAttributes } from '@svc/tracing'

createTraceAttributes

// @ts-expect-error a tool calls no model
startObservation('weather', { model: 'gpt-test' }, { asType: 'tool' })
// @ts-expect-error a span calls no model, and that is what it is without asType
startObservation('work', { usageDetails: { input: 1 } })
// @ts-expect-error an agent has no costs of its own
startActiveObservation('agent', (agent) => agent.update({ costDetails: { total: 1 } }), { asType: 'agent' })
// @ts-expect-error a child is typed by its own kind
startObservation('work').startObservation('search', { model: 'm' }, { asType: 'retriever' })
// @ts-expect-error a chain calls no model
updateActiveObservation({ model: 'm' }, { asType: 'chain' })
// @ts-expect-error an event is over when it is made
startObservation('clicked', {}, { asType: 'event' }).update({ output: 1 })
// @ts-expect-error there is no such kind
startObservation('work', {}, { asType: 'agnet' })
// @ts-expect-error observe knows the same kinds
observe(() => 1, { asType: 'function' })
// @ts-expect-error a level of other loggers
startObservation('work', { level: 'WARN' })
// @ts-expect-error the name of a user is a text
propagateAttributes({ userId: 7 }, () => {})

// What is right compiles, and the result has the type of what was asked for.
const generation: SvcGeneration = startObservation('ask', { model: 'gpt-test' }, { asType: 'generation' })
generation.update({ usageDetails: { input: 1 } }).end()
const embedding: AttributesOf<'embedding'> = { model: 'm', costDetails: { total: 1 } }
updateActiveObservation(embedding)
const kind: ObservationKind = 'guardrail'
const length: Promise<number> = startActiveObservation('work', async (work) => work.id.length, { asType: kind })
export const search: (query: string, limit?: number) => Promise<string[]> = observe(
  async (query: string, limit?: number) => Array<string>(limit ?? 1).fill(query),
)
export const lengths = [length]
