import { groupBy } from '../group.ts'
import { decoded } from '../json-text.ts'
import { treeOf } from '../trace/tree.ts'
import { asText, messagesOf, shortId, shownContent, shownCost, shownDuration, shownName } from './describe-text.ts'
import { costIn, detailsOf, durationOf, factsOfOne, tokensIn } from './facts.ts'
import { findTrace } from './find-trace.ts'
import { QUESTIONS } from './parameters.ts'
import { type Answered, type Params, QuestionError, type Row } from './question.ts'
import { equals, readObservations, type SeenObservation, type TraceReader } from './reader.ts'
import { readValues, textOf } from './values.ts'

/** Characters of what differs. */
const SHOWN = 500
/** Groups that became worse. */
const WORSE = 5

/** `diff`: two traces, or what the model calls of one were given in turn. */
export async function diff(reader: TraceReader, params: Params): Promise<Answered> {
  const values = readValues(params, QUESTIONS.diff.parameters)
  const [a, b] = [textOf(values.a) ?? '', textOf(values.b)]
  if (b === undefined && values.prompt !== true) throw new QuestionError('b is required: the id of another trace')
  const traces = await Promise.all([a, ...(b === undefined ? [] : [b])].map((id) => contentsOf(reader, id)))
  return values.prompt === true ? contextsOf(traces.flat()) : differencesOf(traces[0] ?? [], traces[1] ?? [])
}

/** A trace in the order of its tree, with inputs and outputs. */
async function contentsOf(reader: TraceReader, id: string): Promise<readonly SeenObservation[]> {
  const observations = await findTrace(reader, id)
  const conditions = [equals('traceId', observations[0]?.traceId ?? '')]
  const { found } = await readObservations(reader, { conditions, fields: 'core,io', limit: 200, pages: 20 })
  const contents = new Map(found.map((each) => [each.id, each]))
  const nodes = observations.map((each) => {
    const { input, output } = contents.get(each.id) ?? {}
    return { id: each.id, parentId: each.parentObservationId, observation: { ...each, input, output } }
  })
  const inOrder: SeenObservation[] = []
  const todo = [...treeOf(nodes)].reverse()
  for (let next = todo.pop(); next; next = todo.pop()) {
    inOrder.push(next.node.observation)
    todo.push(...[...next.children].reverse())
  }
  return inOrder
}

function differencesOf(a: readonly SeenObservation[], b: readonly SeenObservation[]): Answered {
  const [before, after] = [a, b].map((all) => factsOfOne(all[0]?.traceId ?? '', all))
  const heads = [before, after].flatMap((facts, at): Row[] =>
    facts
      ? [{ text: `${at === 0 ? 'A' : 'B'}: ${[shortId(facts.traceId), ...detailsOf(facts)].join('  ')}`, data: facts }]
      : [],
  )
  return { title: 'Two traces compared', rows: [...heads, ...firstDifference(a, b), ...worse(a, b)] }
}

/** What can differ of two observations in the same place, the most telling first. */
const ASPECTS: Readonly<Record<string, (one: SeenObservation) => string>> = {
  'type and name': ({ type, name }) => `${type} ${name}`,
  prompt: ({ promptName, promptVersion }) => (promptName ? `${promptName} v${promptVersion}` : '(none)'),
  model: ({ providedModelName }) => providedModelName ?? '(none)',
  input: ({ input }) => asText(input),
  level: ({ level, statusMessage }) => `${level} ${statusMessage ?? ''}`,
  output: ({ output }) => asText(output),
}

function firstDifference(a: readonly SeenObservation[], b: readonly SeenObservation[]): Row[] {
  const aspects = Object.entries(ASPECTS)
  // An input or output above another one repeats it: the root differs whenever anything does.
  const order = [...a.keys(), ...b.keys()].slice(0, Math.max(a.length, b.length))
  const leaf = order.find((at) =>
    differs(
      a[at],
      b[at],
      aspects.filter(([aspect]) => !/put$/.test(aspect)),
    ),
  )
  const inside = order.find((at) => at > 0 && differs(a[at], b[at], aspects))
  const at = Math.min(leaf ?? Number.POSITIVE_INFINITY, inside ?? Number.POSITIVE_INFINITY)
  const place = Number.isFinite(at) ? at : order.find((each) => differs(a[each], b[each], aspects))
  if (place === undefined) return [{ text: 'No observation differs in name, prompt, model, input, level or output.' }]
  const [one, other] = [a[place], b[place]]
  const [aspect = 'presence', of = () => ''] =
    aspects.find(([, each]) => !one || !other || each(one) !== each(other)) ?? []
  const side = (letter: string, each: SeenObservation | undefined) =>
    each
      ? `${letter}: ${shownName(each.type, 30)} ${shownName(each.name)} ${shortId(each.id)}\n${shownContent(excerpt(each, of, one, other), SHOWN)}`
      : `${letter}: has no such observation`
  const data = { place, aspect, a: one?.id ?? null, b: other?.id ?? null }
  const isMissing = !one || !other
  return [
    {
      text: `First difference, at observation ${place + 1}: ${isMissing ? 'one has more' : aspect}`,
      style: 'bold',
      data,
    },
    { text: side('A', one) },
    { text: side('B', other) },
  ]
}

type Aspect = (typeof ASPECTS)[string]

function differs(
  one: SeenObservation | undefined,
  other: SeenObservation | undefined,
  aspects: readonly [string, Aspect][],
) {
  if (!one || !other) return one !== other
  return aspects.some(([, of]) => of(one) !== of(other))
}

/** Of a long text, the part from a little before where it begins to differ. */
function excerpt(
  each: SeenObservation,
  of: Aspect,
  one: SeenObservation | undefined,
  other: SeenObservation | undefined,
): string {
  const text = of(each)
  if (!one || !other) return text
  const from = Math.max(0, samePrefix(of(one), of(other)) - 80)
  return from === 0 ? text : `[… ${from} same characters …] ${text.slice(from)}`
}

function samePrefix(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}

/** Groups of observations that became slower, dearer or longer, the worst first. */
function worse(a: readonly SeenObservation[], b: readonly SeenObservation[]): Row[] {
  const key = ({ type, name }: SeenObservation) => `${type} ${name}`
  const [before, after] = [groupBy(a, key), groupBy(b, key)]
  const sum = (all: readonly SeenObservation[], of: (one: SeenObservation) => number) =>
    all.reduce((total, one) => total + of(one), 0)
  const figures = [
    { what: 'slower', of: durationOf, shown: shownDuration },
    { what: 'dearer', of: (one: SeenObservation) => costIn(one).usd ?? 0, shown: (usd: number) => shownCost(usd) },
    { what: 'longer', of: tokensIn, shown: (tokens: number) => `${tokens} tokens` },
  ]
  return figures.flatMap(({ what, of, shown }) => {
    const changes = [...after].map(([name, all]) => {
      const [was, is] = [sum(before.get(name) ?? [], of), sum(all, of)]
      return { name, was, is }
    })
    const worst = changes
      .filter(({ was, is }) => is > was)
      .sort((one, other) => other.is - other.was - (one.is - one.was))
    const rows = worst.slice(0, WORSE).map(
      ({ name, was, is }): Row => ({
        text: `  ${shownName(name, 110)}: ${shown(was)} → ${shown(is)}`,
        data: { change: what, name, before: was, after: is },
      }),
    )
    const left = worst.length - rows.length
    const others: Row[] = left > 0 ? [{ text: `  and ${left} more` }] : []
    return rows.length > 0 ? [{ text: `In B ${what}:`, style: 'bold' as const }, ...rows, ...others] : []
  })
}

/** What each model call was given, against the one before. */
function contextsOf(observations: readonly SeenObservation[]): Answered {
  const calls = observations.filter(({ type, input }) => type === 'GENERATION' && input !== undefined && input !== null)
  const rows = calls.map((call, at): Row => {
    const before = at === 0 ? [] : linesOf(calls[at - 1]?.input)
    const now = linesOf(call.input)
    const same = now.findIndex((line, place) => line !== before[place])
    const kept = same < 0 ? now.length : same
    const [removed, added] = [before.slice(kept), now.slice(kept)]
    const head = `call ${at + 1}: ${shownName(call.name)} ${shortId(call.id)}: ${kept} kept, ${removed.length} removed, ${added.length} added`
    const parts = [...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)]
    return {
      text: [head, ...(parts.length > 0 ? [shownContent(parts.join('\n'), SHOWN)] : [])].join('\n'),
      data: { observationId: call.id, kept, removed: removed.length, added: added.length },
    }
  })
  return { title: `The context of ${rows.length} model calls, each against the one before`, rows }
}

/** The messages of an input, a text each; lines of what has none. */
function linesOf(input: unknown): string[] {
  const value = typeof input === 'string' ? decoded(input) : input
  return messagesOf(value)?.map(({ role, text }) => `${role}: ${text}`) ?? asText(value).split('\n')
}
