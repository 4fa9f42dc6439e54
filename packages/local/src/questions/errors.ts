import { groupBy } from '../group.ts'
import { alternativesOf } from './conditions.ts'
import { shortId, shownContent, shownName, shownTime } from './describe-text.ts'
import { QUESTIONS } from './parameters.ts'
import type { Answered, Params, Row } from './question.ts'
import { anyOf, readObservations, type SeenObservation, type TraceReader } from './reader.ts'
import { limitOf, readValues } from './values.ts'

const PAGES = 2
/** Groups that are shown with the input of their newest failure, and characters of it. */
const EXAMPLES = 10
const INPUT = 240

/** `errors`: what failed, grouped by message and place, the most frequent first. */
export async function errors(reader: TraceReader, params: Params): Promise<Answered> {
  const asked = { ...params, since: params.since ?? '24h', level: params.level ?? 'ERROR' }
  const values = readValues(asked, QUESTIONS.errors.parameters)
  const searches = alternativesOf(values).map((conditions) =>
    readObservations(reader, { conditions, fields: 'core,basic,model', pages: PAGES }),
  )
  const read = await Promise.all(searches)
  const failed = [
    ...new Map(read.flatMap(({ found }) => found).map((each) => [`${each.traceId} ${each.id}`, each])).values(),
  ]
  const groups = [...groupBy(withoutFollowers(failed), placeOf).values()].sort(
    (one, other) => other.length - one.length,
  )
  const shown = groups.slice(0, limitOf(values))
  const inputs = await inputsOf(
    reader,
    shown.slice(0, EXAMPLES).flatMap(([newest]) => newest ?? []),
  )
  const oldest = failed.map(({ startTime }) => startTime).sort()[0]
  const isWhole = read.every((each) => each.isWhole)
  const bound = isWhole ? '' : `; of the newest ${failed.length} failures, there are older ones`
  return {
    title: `${groups.length} ${groups.length === 1 ? 'kind' : 'kinds'} of failure since ${shownName(asked.since)}${bound}`,
    rows: shown.map((group) => rowOfGroup(group, inputs)),
    ...(groups.length > shown.length
      ? { more: { what: `${groups.length - shown.length} more kinds`, params: { limit: groups.length } } }
      : !isWhole && { more: { what: 'older failures', params: { until: oldest } } }),
  }
}

/** Failures without those that only pass on one from below. */
function withoutFollowers(failed: readonly SeenObservation[]): SeenObservation[] {
  const passedOn = new Set(
    failed.flatMap(({ traceId, parentObservationId, statusMessage }) =>
      parentObservationId === null ? [] : [`${traceId} ${parentObservationId} ${statusMessage}`],
    ),
  )
  return failed.filter(({ traceId, id, statusMessage }) => !passedOn.has(`${traceId} ${id} ${statusMessage}`))
}

/** Characters of a message that tell one kind of failure from another. */
const MESSAGE = 300

/** The kind of a failure: its place and its message, with ids, numbers and quoted texts left out. */
function placeOf({ type, name, statusMessage }: SeenObservation): string {
  const message = (statusMessage ?? '').slice(0, MESSAGE)
  const unquoted = message.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '…')
  const kind = unquoted.replace(/[\w-]+/g, (word) => (/\d/.test(word) ? '#' : word))
  return `${type} ${name} ${kind}`
}

async function inputsOf(reader: TraceReader, newest: readonly SeenObservation[]) {
  if (newest.length === 0) return new Map<string, unknown>()
  const conditions = [
    anyOf('traceId', [...new Set(newest.flatMap(({ traceId }) => traceId ?? []))]),
    anyOf(
      'id',
      newest.map(({ id }) => id),
    ),
  ]
  const { found } = await readObservations(reader, { conditions, fields: 'core,io' })
  return new Map(found.map(({ id, input }) => [id, input]))
}

function rowOfGroup(group: readonly SeenObservation[], inputs: ReadonlyMap<string, unknown>): Row {
  const newest = group[0] as SeenObservation
  const first = group.at(-1)?.startTime ?? newest.startTime
  const message = shownName(newest.statusMessage ?? '(no message)', MESSAGE)
  const input = inputs.get(newest.id)
  const lines = [
    `${group.length}×  ${shownName(newest.type, 30)} ${shownName(newest.name)}: ${message}`,
    `    first ${shownTime(first)}, last ${shownTime(newest.startTime)}, e.g. trace ${shortId(newest.traceId)} observation ${shortId(newest.id)}`,
    ...(input === null || input === undefined ? [] : ['    its input:', shownContent(input, INPUT)]),
  ]
  const example = { traceId: newest.traceId, observationId: newest.id, input: input ?? null }
  const place = { type: newest.type, name: newest.name ?? null, message: newest.statusMessage ?? null }
  return {
    text: lines.join('\n'),
    style: 'red',
    data: { ...place, count: group.length, first, last: newest.startTime, example },
  }
}
