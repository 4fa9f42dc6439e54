import { shortId, shownName } from './describe-text.ts'
import { QuestionError } from './question.ts'
import { equals, readObservations, type SeenObservation, type TraceReader } from './reader.ts'

const WHOLE_ID = /^[0-9a-f]{32}$/

/**
 * Returns the observations of the trace whose id begins so, by start.
 *
 * @param fields groups of fields of the API; default: all but what is large
 * @throws {QuestionError} for none, or several
 */
export async function findTrace(
  reader: TraceReader,
  given: string,
  fields?: string,
): Promise<readonly SeenObservation[]> {
  const traceId = WHOLE_ID.test(given) ? given : await wholeId(reader, given)
  const { found, isWhole } = await readObservations(reader, {
    conditions: [equals('traceId', traceId)],
    pages: 20,
    ...(fields !== undefined && { fields }),
  })
  if (found.length === 0) throw new QuestionError(`there is no trace ${shownName(given)}: list has those there are`)
  if (!isWhole) throw new QuestionError(`trace ${shortId(traceId)} has more than ${found.length} observations`)
  return [...found].sort(byStart)
}

async function wholeId(reader: TraceReader, beginning: string): Promise<string> {
  const condition = { type: 'string', column: 'traceId', operator: 'starts with', value: beginning.toLowerCase() }
  const several = (found: readonly SeenObservation[]) => idsOf(found).length > 1
  const { found } = await readObservations(reader, { conditions: [condition], fields: 'core', enough: several })
  const [id, ...others] = idsOf(found)
  if (id === undefined) throw new QuestionError(`no trace has an id that begins with ${shownName(beginning)}`)
  if (others.length === 0) return id
  const some = [id, ...others].slice(0, 5).map((each) => shownName(each))
  throw new QuestionError(`several traces begin with ${shownName(beginning)}: ${some.join(', ')}`)
}

const idsOf = (found: readonly SeenObservation[]): string[] => [
  ...new Set(found.flatMap(({ traceId }) => traceId ?? [])),
]

/** By start; what starts at the same time, by end, the longest first: a parent before its children. */
function byStart(one: SeenObservation, other: SeenObservation): number {
  return (
    Date.parse(one.startTime) - Date.parse(other.startTime) ||
    Date.parse(other.endTime ?? '') - Date.parse(one.endTime ?? '') ||
    0
  )
}
