import { alternativesOf, isAboutObservations } from './conditions.ts'
import { shownName } from './describe-text.ts'
import { factsOf, rowOf } from './facts.ts'
import { QUESTIONS } from './parameters.ts'
import type { Answered, Params } from './question.ts'
import { anyOf, type FilterCondition, readObservations, type SeenObservation, type TraceReader } from './reader.ts'
import { limitOf, readValues } from './values.ts'

/** Rows of a request for what fits: a trace may have several of them. */
const AT_ONCE = 100
/** Traces in a condition, so that it fits into the address of a request. */
const IDS = 50
const DAY = '24h'

/** `list`: the traces with an observation that fits, the newest first. */
export async function list(reader: TraceReader, params: Params): Promise<Answered> {
  // A text is in no index: who names no time asks for the last day.
  const since = params.since ?? (params.text !== undefined && params.text !== '' ? DAY : undefined)
  const values = readValues({ ...params, since }, QUESTIONS.list.parameters)
  const limit = limitOf(values)
  const roots: FilterCondition = { type: 'boolean', column: 'isRootObservation', operator: '=', value: true }
  const whole = isAboutObservations(values) ? [] : [roots]
  const searches = alternativesOf(values).map((conditions) =>
    readObservations(reader, {
      conditions: [...conditions, ...whole],
      fields: 'core',
      limit: Math.min(1_000, Math.max(AT_ONCE, limit + 1)),
      pages: 10,
      enough: (found) => newestFirst(found).size > limit,
    }),
  )
  const found = await Promise.all(searches)
  const newest = newestFirst(found.flatMap((each) => each.found))
  const ids = [...newest.keys()].slice(0, limit)
  const facts = factsOf(await observationsOf(reader, ids))
  const rows = ids.flatMap((id) => {
    const known = facts.get(id)
    return known ? [rowOf(known, { until: newest.get(id) })] : []
  })
  const isWhole = found.every((each) => each.isWhole) && newest.size <= limit
  const last = ids.at(-1)
  return {
    title:
      rows.length === 0
        ? `No trace fits${period(since)}: npx @svc/cli doctor says why none arrive`
        : titleOf(rows.length, since),
    rows,
    ...(!isWhole && last !== undefined && { more: { what: 'older traces', params: { until: newest.get(last) } } }),
  }
}

const titleOf = (count: number, since: unknown) =>
  `${count} ${count === 1 ? 'trace' : 'traces'}, the newest first${period(since)}`
const period = (since: unknown) => (since === undefined ? '' : `, since ${shownName(since)}`)

/** Traces by id, with the start of the newest observation that fits. */
function newestFirst(found: readonly SeenObservation[]): Map<string, string> {
  const sorted = [...found].sort((one, other) => Date.parse(other.startTime) - Date.parse(one.startTime))
  const newest = new Map<string, string>()
  for (const { traceId, startTime } of sorted) {
    if (traceId !== null && !newest.has(traceId)) newest.set(traceId, startTime)
  }
  return newest
}

/** All observations of traces, without what is large. */
async function observationsOf(reader: TraceReader, ids: readonly string[]): Promise<SeenObservation[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / IDS) }, (_, at) => ids.slice(at * IDS, (at + 1) * IDS))
  const found = await Promise.all(
    parts.map((part) => readObservations(reader, { conditions: [anyOf('traceId', part)], pages: 20 })),
  )
  return found.flatMap((each) => [...each.found])
}
