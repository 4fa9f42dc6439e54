import { type Branch, treeOf } from '../trace/tree.ts'
import { shortId, shownContent, shownCost, shownDuration, shownName, shownTime } from './describe-text.ts'
import { costIn, detailsOf, durationOf, factsOfOne, tokensIn } from './facts.ts'
import { findTrace } from './find-trace.ts'
import { QUESTIONS } from './parameters.ts'
import { type Answered, type Params, QuestionError, type Row } from './question.ts'
import { anyOf, equals, readObservations, type SeenObservation, type TraceReader } from './reader.ts'
import { numberOf, readValues, textOf } from './values.ts'

/** Characters of an input or output: in a trace, and of the one observation that was asked for. */
const SHORT = 400
const LONG = 2_500
/** Failed observations that are shown with their inputs. */
const FAILURES = 5

/** `show`: a trace, or one observation of it. */
export async function show(reader: TraceReader, params: Params): Promise<Answered> {
  const values = readValues(params, QUESTIONS.show.parameters)
  const observations = await findTrace(reader, textOf(values.id) ?? '')
  const wanted = textOf(values.observation)
  const io = textOf(values.io)
  if (io !== undefined && io !== 'full' && io !== 'none') throw new QuestionError('io: expected full or none')
  const one = wanted === undefined ? undefined : observationIn(observations, wanted)
  const longest = io === 'full' ? Number.POSITIVE_INFINITY : one ? LONG : SHORT
  const traceId = observations[0]?.traceId ?? ''
  const facts = factsOfOne(traceId, observations)
  const title = `${one ? 'Observation of trace' : 'Trace'} ${traceId}`
  const resume = { maxTokens: numberOf(values.maxTokens, 2_000) * 4 }
  const heading: Row = {
    text: [shownTime(facts.startTime), ...detailsOf(facts)].join('  '),
    style: 'bold',
    data: facts,
  }
  if (one) {
    const content = io === 'none' ? [] : await contents(reader, [one], traceId, longest)
    return { title, rows: [heading, ...pathTo(observations, one), ...factsOfOneRow(one), ...content], ...rest(io) }
  }
  const failed = firstCauses(observations)
  const shown = failed.slice(0, FAILURES)
  const root = observations.find(({ isRootObservation }) => isRootObservation) ?? observations[0]
  const asked = observations.findLast(({ type }) => type === 'GENERATION')
  const withContent = [...new Set([...shown, ...(root ? [root] : []), ...(asked ? [asked] : [])])]
  const errors =
    failed.length > 0
      ? [section('Failed, with the path to it:'), ...shown.flatMap((each) => pathTo(observations, each))]
      : []
  const left = failed.length - shown.length
  const others: Row[] = left > 0 ? [{ text: `  and ${left} more, marked ERROR in the tree` }] : []
  const tree = [section('Tree:'), ...branches(treeOf(observations.map(asNode)), '')]
  const content = io === 'none' ? [] : await contents(reader, withContent, traceId, longest)
  const rows = [heading, ...errors, ...others, ...(failed.length > 0 ? [...content, ...tree] : [...tree, ...content])]
  return { title, rows: rows.map((row) => ({ ...row, resume })), ...rest(io) }
}

const rest = (io: string | undefined): Pick<Answered, 'more'> =>
  io === undefined ? { more: { what: 'inputs and outputs uncut', params: { io: 'full' } } } : {}

const section = (text: string): Row => ({ text, style: 'bold' })

function observationIn(observations: readonly SeenObservation[], beginning: string): SeenObservation {
  const found = observations.filter(({ id }) => id.startsWith(beginning.toLowerCase()))
  if (found.length === 1 && found[0]) return found[0]
  const what = found.length === 0 ? 'no observation' : `${found.length} observations`
  throw new QuestionError(`${what} of this trace has an id that begins with ${shownName(beginning)}`)
}

/** What failed and has nothing below it that failed: where a failure began. */
function firstCauses(observations: readonly SeenObservation[]): SeenObservation[] {
  const failed = observations.filter(({ level }) => level === 'ERROR')
  const parents = new Map(observations.map(({ id, parentObservationId }) => [id, parentObservationId]))
  const above = new Set<string>()
  for (const { parentObservationId } of failed) {
    for (let id = parentObservationId; id && !above.has(id); id = parents.get(id) ?? null) above.add(id)
  }
  return failed.filter(({ id }) => !above.has(id))
}

/** The observations from the root to one, each a row. */
function pathTo(observations: readonly SeenObservation[], one: SeenObservation): Row[] {
  const byId = new Map(observations.map((each) => [each.id, each]))
  const path: SeenObservation[] = []
  for (let at: SeenObservation | undefined = one; at && !path.includes(at); ) {
    path.unshift(at)
    at = byId.get(at.parentObservationId ?? '')
  }
  return path.map((each, depth) => ({ ...lineOf(each, `${'  '.repeat(Math.min(depth, 20))}└─ `) }))
}

const asNode = (observation: SeenObservation) => ({
  id: observation.id,
  parentId: observation.parentObservationId,
  observation,
})

function branches(nodes: readonly Branch<ReturnType<typeof asNode>>[], indent: string): Row[] {
  return nodes.flatMap(({ node, children }, at) => {
    const isLast = at === nodes.length - 1
    const line = lineOf(node.observation, `${indent}${isLast ? '└─' : '├─'} `)
    return [line, ...branches(children, `${indent}${isLast ? '   ' : '│  '}`)]
  })
}

/** An observation as one line, with the message of its failure. */
function lineOf(one: SeenObservation, before: string): Row {
  const { usd, estimated } = costIn(one)
  const tokens = tokensIn(one)
  const isMarked = one.level === 'ERROR' || one.level === 'WARNING'
  const details = [
    `${before}${shownName(one.type, 30)} ${shownName(one.name)}`,
    shortId(one.id),
    one.providedModelName && shownName(one.providedModelName, 60),
    shownDuration(durationOf(one)),
    tokens > 0 && `${tokens} tokens`,
    usd !== null && shownCost(usd, estimated),
    one.promptName && `prompt=${shownName(one.promptName, 60)} v${one.promptVersion ?? '?'}`,
    isMarked && `${one.level}${one.statusMessage ? `: ${shownName(one.statusMessage, 300)}` : ''}`,
  ]
  const style = one.level === 'ERROR' ? 'red' : one.level === 'WARNING' ? 'yellow' : undefined
  return { text: details.filter((each) => each).join('  '), ...(style && { style }), data: dataOf(one) }
}

/** An observation for programs. */
function dataOf(one: SeenObservation): Record<string, unknown> {
  const { usd, estimated } = costIn(one)
  return {
    observationId: one.id,
    parentObservationId: one.parentObservationId,
    type: one.type,
    name: one.name ?? null,
    startTime: one.startTime,
    latencyMs: durationOf(one),
    level: one.level ?? null,
    statusMessage: one.statusMessage ?? null,
    model: one.providedModelName ?? null,
    tokens: one.usageDetails ?? {},
    costUsd: usd,
    costIsEstimated: estimated,
    promptName: one.promptName ?? null,
    promptVersion: one.promptVersion ?? null,
  }
}

function factsOfOneRow(one: SeenObservation): Row[] {
  const usage = Object.entries(one.usageDetails ?? {}).map(([kind, count]) => `${shownName(kind, 40)} ${count}`)
  const facts = [
    `started ${one.startTime}`,
    usage.length > 0 && `tokens: ${usage.join(', ')}`,
    one.version && `version ${shownName(one.version)}`,
    one.release && `release ${shownName(one.release)}`,
    one.environment && `environment ${shownName(one.environment)}`,
  ]
  return [{ text: facts.filter((each) => each).join('  ') }]
}

/** Inputs and outputs of observations, each a row. */
async function contents(
  reader: TraceReader,
  observations: readonly SeenObservation[],
  traceId: string,
  longest: number,
): Promise<Row[]> {
  const conditions = [
    equals('traceId', traceId),
    anyOf(
      'id',
      observations.map(({ id }) => id),
    ),
  ]
  const { found } = await readObservations(reader, { conditions, fields: 'core,io' })
  const byId = new Map(found.map((each) => [each.id, each]))
  return observations.flatMap((one) =>
    (['input', 'output'] as const).flatMap((half): Row[] => {
      const content = byId.get(one.id)?.[half]
      if (content === null || content === undefined) return []
      const text = `${half} of ${shownName(one.type, 30)} ${shownName(one.name)} ${shortId(one.id)}:`
      return [{ text: `${text}\n${shownContent(content, longest)}`, data: { observationId: one.id, [half]: content } }]
    }),
  )
}
