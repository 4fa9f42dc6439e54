import { decodedOrNull } from '../json-text.ts'
import { DEFAULT_ENVIRONMENT, type Observation, type StoredObservation } from '../store/observation.ts'
import { chatViewOf } from './chat/view.ts'
import { toolCallsOf } from './map/tool-calls.ts'
import { toolDefinitionsOf } from './map/tool-definitions.ts'

/** One observation of a {@link Trace}. */
export type TraceObservation = Pick<
  Observation,
  | 'id'
  | 'parentId'
  | 'type'
  | 'name'
  | 'level'
  | 'model'
  | 'input'
  | 'output'
  | 'usage'
  | 'startTime'
  | 'endTime'
  | 'metadata'
>

/** A trace with all of its observations, parents before their children, otherwise by start. */
export interface Trace {
  readonly traceId: string
  /** The name given to `propagateAttributes`, else that of the root observation; null until one of them arrived. */
  readonly name: string | null
  readonly userId: string | null
  readonly sessionId: string | null
  readonly public: boolean
  readonly tags: readonly string[]
  readonly environment: string
  readonly observations: readonly TraceObservation[]
}

/** Builds a trace of its observations. Fields of the root override those of other observations; tags are merged. */
export function traceOf(traceId: string, stored: readonly StoredObservation[]): Trace {
  const ordered = inReadingOrder(stored)
  const root = rootOf(ordered)
  const speakers = root ? [root, ...ordered.filter((observation) => observation !== root)] : ordered
  const first = <T>(pick: (observation: StoredObservation) => T | null): T | null =>
    speakers.map(pick).find((value) => value !== null) ?? null
  return {
    traceId,
    name: first(({ traceName }) => traceName) ?? root?.name ?? null,
    userId: first(({ userId }) => userId),
    sessionId: first(({ sessionId }) => sessionId),
    public: speakers.some((observation) => observation.public),
    tags: [...new Set(speakers.flatMap(({ tags }) => tags))],
    environment: first(named) ?? DEFAULT_ENVIRONMENT,
    observations: ordered.map(traceObservation),
  }
}

/** An observation for reading: times as ISO text, input and output decoded. */
export function observationFor(stored: StoredObservation): Observation {
  const { root, startTime, endTime, completionStartTime, input, output, ...rest } = stored
  const value = { input: decodedOrNull(input), output: decodedOrNull(output) }
  return {
    ...rest,
    ...value,
    isRoot: root > 0,
    startTime: isoTime(startTime),
    endTime: isoTime(endTime),
    completionStartTime: completionStartTime === null ? null : isoTime(completionStartTime),
    toolDefinitions: toolDefinitionsOf(value.input),
    toolCalls: toolCallsOf(value.output),
    chat: chatViewOf(stored),
  }
}

/** Microseconds since 1970 as ISO 8601 text. */
export const isoTime = (micros: number): string => new Date(micros / 1_000).toISOString()

const named = ({ environment }: StoredObservation) => (environment === DEFAULT_ENVIRONMENT ? null : environment)

function traceObservation(stored: StoredObservation): TraceObservation {
  const { id, parentId, type, name, level, model, input, output, usage, startTime, endTime, metadata } =
    observationFor(stored)
  return { id, parentId, type, name, level, model, input, output, usage, startTime, endTime, metadata }
}

function rootOf(ordered: readonly StoredObservation[]): StoredObservation | undefined {
  return ordered.find(({ root }) => root === 2) ?? ordered.find(({ root }) => root === 1)
}

// Children often start in the same tick as their parent, and arrive before it.
function inReadingOrder(stored: readonly StoredObservation[]): StoredObservation[] {
  const depths = depthsOf(stored)
  const depth = ({ id }: StoredObservation) => depths.get(id) ?? 0
  return [...stored].sort((a, b) => a.startTime - b.startTime || depth(a) - depth(b))
}

function depthsOf(stored: readonly StoredObservation[]): ReadonlyMap<string, number> {
  const parents = new Map(stored.map(({ id, parentId }) => [id, parentId]))
  const depths = new Map<string, number>()
  for (const { id } of stored) {
    const path = new Set<string>()
    let at: string | null | undefined = id
    // A span that is its own ancestor is nonsense, and must not hang the reader.
    while (at && parents.has(at) && !depths.has(at) && !path.has(at)) {
      path.add(at)
      at = parents.get(at)
    }
    let depth = at ? (depths.get(at) ?? 0) : 0
    for (const step of [...path].reverse()) {
      depth += 1
      depths.set(step, depth)
    }
  }
  return depths
}
