import { GEN_AI, RAW_ANSWERS } from '@svc/core/attributes'
import { shownName } from '@svc/local/questions'
import type { RecordedObservation } from '../traces/trace-file.ts'
import type { RecordedAnswer } from './answer.ts'
import { type RawAnswer, readRawAnswers } from './raw-answer.ts'
import { fieldsIn, readMessages } from './recorded-message.ts'
import { stepOf, type TreePlace } from './tree-place.ts'

/** A model call of a trace that a request can be compared with. */
export interface RecordedCall {
  readonly id: string
  /** For messages: its name and the beginning of its id. */
  readonly title: string
  readonly place: TreePlace
  readonly model: string | undefined
  readonly parameters: Readonly<Record<string, unknown>>
  readonly input: unknown
  /** Undefined where it failed, or where what it answered is no text and no tool call. */
  readonly answer: RecordedAnswer | undefined
  /** Why it failed, with the status of the answer. */
  readonly failure: { readonly status: number; readonly message: string } | undefined
  /** What came for its request, if that was kept. */
  readonly raw?: RawAnswer
}

const MODEL_CALLS = ['GENERATION', 'EMBEDDING']

/** The model calls of a trace by their starts, up to an observation. What groups such calls is none. */
export function callsOf(observations: readonly RecordedObservation[], until?: RecordedObservation): RecordedCall[] {
  const { sorted, before, placeOf } = sort(observations, until)
  const grouping = new Set(
    sorted.flatMap(({ type, parentObservationId: id }) => (MODEL_CALLS.includes(type) && id !== null ? [id] : [])),
  )
  return before
    .filter(({ type, id }) => MODEL_CALLS.includes(type) && !grouping.has(id))
    .flatMap((call) => requestsOf(call, placeOf(call)))
}

/** A call whose answers were kept is each of its requests: a library may have asked again. */
function requestsOf(observation: RecordedObservation, place: TreePlace): RecordedCall[] {
  const call = callOf(observation, place)
  const { [RAW_ANSWERS]: kept } = fieldsIn(fieldsIn(observation.metadata).attributes)
  const answers = readRawAnswers(kept)
  return answers.length > 0 ? answers.map((raw) => ({ ...call, raw })) : [call]
}

/** For the processes that call tools, as JSON. */
export interface RecordedTools {
  readonly tools: readonly RecordedTool[]
  /** Whether a call that differs from the trace is made. */
  readonly isLive: boolean
  /** Whether calls after the last recorded one are made. */
  readonly isLiveAfter: boolean
}

export interface RecordedTool {
  readonly title: string
  readonly name: string
  readonly place: readonly string[]
  /** As the API has them: as texts, also where they are JSON. */
  readonly input: unknown
  readonly output: unknown
  /** Why it failed. */
  readonly failure: string | undefined
}

/** The tools of a trace by their starts, up to an observation. */
export function toolsOf(observations: readonly RecordedObservation[], until?: RecordedObservation): RecordedTool[] {
  const { before, placeOf } = sort(observations, until)
  return before
    .filter(({ type }) => type === 'TOOL')
    .map((tool) => ({
      title: titleOf(tool),
      name: tool.name ?? '',
      place: [...placeOf(tool)],
      input: tool.input,
      output: tool.output,
      failure: tool.level === 'ERROR' ? (tool.statusMessage ?? '') : undefined,
    }))
}

function sort(observations: readonly RecordedObservation[], until: RecordedObservation | undefined) {
  const sorted = observations.toSorted(byStart)
  return { sorted, before: until ? sorted.slice(0, sorted.indexOf(until)) : sorted, placeOf: placesOf(sorted) }
}

const titleOf = ({ name, id }: RecordedObservation): string => `${shownName(name)} (${shownName(id).slice(0, 12)})`

/** Of what started in the same millisecond, the first to end mostly was the first to start. */
function byStart(one: RecordedObservation, other: RecordedObservation): number {
  const between = (name: 'startTime' | 'endTime') => Date.parse(one[name] ?? '') - Date.parse(other[name] ?? '')
  return between('startTime') || between('endTime') || 0
}

/** Finds the places of observations, which are sorted by their starts. */
function placesOf(sorted: readonly RecordedObservation[]): (of: RecordedObservation) => TreePlace {
  const byId = new Map(sorted.map((each) => [each.id, each]))
  const parentOf = ({ parentObservationId: id }: RecordedObservation) => (id === null ? undefined : byId.get(id))
  const counts = new Map<string, number>()
  const steps = new Map<RecordedObservation, string>()
  for (const each of sorted) {
    const name = each.name ?? ''
    const siblings = `${each.parentObservationId} ${name}`
    const nth = parentOf(each) ? (counts.get(siblings) ?? 0) : 0
    counts.set(siblings, nth + 1)
    steps.set(each, stepOf(name, nth))
  }
  return (observation) => {
    const place = new Set<string>()
    const seen = new Set<RecordedObservation>()
    for (let at: typeof observation | undefined = observation; at && !seen.has(at); at = parentOf(at)) {
      seen.add(at)
      place.add(steps.get(at) ?? '')
    }
    return place
  }
}

function callOf(observation: RecordedObservation, place: TreePlace): RecordedCall {
  const { id, level, statusMessage, providedModelName, modelParameters, input } = observation
  const attributes = fieldsIn(fieldsIn(observation.metadata).attributes)
  const message = statusMessage ?? ''
  return {
    id,
    title: titleOf(observation),
    place,
    model: nameIn(attributes[GEN_AI.REQUEST_MODEL]) ?? providedModelName ?? undefined,
    parameters: fieldsIn(decoded(modelParameters)),
    input: decoded(input),
    answer: level === 'ERROR' ? undefined : answerOf(observation, attributes),
    failure: level === 'ERROR' ? { status: Number(/\b([45]\d\d)\b/.exec(message)?.[1] ?? 500), message } : undefined,
  }
}

function answerOf(observation: RecordedObservation, attributes: Fields): RecordedAnswer | undefined {
  const { id, output, providedModelName, modelParameters, startTime, usageDetails = {} } = observation
  const recorded = decoded(output)
  const messages = (Array.isArray(recorded) ? recorded : [recorded]).flatMap(readMessages)
  if (recorded === null || recorded === undefined || messages.some(({ hasMore }) => hasMore)) return undefined
  const sum = (prefix: string) =>
    Object.entries(usageDetails).reduce((total, [kind, tokens]) => total + (kind.startsWith(prefix) ? tokens : 0), 0)
  const found = decoded(attributes[GEN_AI.RESPONSE_FINISH_REASONS])
  const reasons: readonly unknown[] = Array.isArray(found) ? found : []
  const own = reasons.length > 1 && reasons.length === messages.length
  return {
    id: nameIn(attributes[GEN_AI.RESPONSE_ID]) ?? id,
    model: providedModelName ?? '',
    created: Math.floor(Date.parse(startTime) / 1_000),
    messages: own ? messages.map((message, at) => ({ ...message, finish: nameIn(reasons[at]) })) : messages,
    finish: nameIn(reasons[0]),
    tier: nameIn(fieldsIn(decoded(modelParameters)).service_tier),
    usage: {
      input: sum('input'),
      cached: usageDetails.input_cached_tokens ?? 0,
      written: sum('input_cache_creation'),
      output: sum('output'),
      reasoning: usageDetails.output_reasoning_tokens ?? 0,
    },
  }
}

type Fields = Readonly<Record<string, unknown>>

const nameIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The API has inputs, outputs and parameters as texts. */
export function decoded(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
