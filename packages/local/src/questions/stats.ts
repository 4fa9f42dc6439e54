import { own } from '@svc/core/own'
import { estimatedCost } from '../price/estimate.ts'
import { alternativesOf } from './conditions.ts'
import { shownCost, shownDuration, shownName } from './describe-text.ts'
import { QUESTIONS } from './parameters.ts'
import { type Answered, type Params, QuestionError, type Row } from './question.ts'
import { equals, type Figure, type TraceReader } from './reader.ts'
import { limitOf, readValues, textOf } from './values.ts'

/** What calls are grouped by, as the metrics endpoint calls it. */
const DIMENSIONS: Readonly<Record<string, string>> = {
  name: 'name',
  type: 'type',
  model: 'providedModelName',
  user: 'userId',
  session: 'sessionId',
  prompt: 'promptName',
  version: 'version',
  release: 'release',
  environment: 'environment',
  level: 'level',
}

const METRICS = [
  { measure: 'count', aggregation: 'count' },
  { measure: 'latency', aggregation: 'p50' },
  { measure: 'latency', aggregation: 'p95' },
  { measure: 'totalTokens', aggregation: 'sum' },
  { measure: 'totalCost', aggregation: 'sum' },
  { measure: 'totalTokens', aggregation: 'count' },
  { measure: 'totalCost', aggregation: 'count' },
]
const TOKENS = ['inputTokens', 'outputTokens'].map((measure) => ({ measure, aggregation: 'sum' }))
/** Groups that the endpoint gives at most. */
const MOST = 1_000

/** The figures of a group in one period. */
interface GroupFigures {
  readonly count: number
  readonly errors: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly tokens: number
  readonly costUsd: number | null
  readonly costIsEstimated: boolean
}

/** A group now and, where it was there, in the period before. */
interface Compared {
  readonly group: string
  readonly now: GroupFigures
  readonly before: GroupFigures | undefined
}

/** `stats`: figures by group, compared with the period of the same length before. */
export async function stats(reader: TraceReader, params: Params): Promise<Answered> {
  const asked = { ...params, since: params.since ?? '24h' }
  const values = readValues(asked, QUESTIONS.stats.parameters)
  const by = textOf(values.by) ?? 'name'
  const dimension = own(DIMENSIONS, by) ?? refuse('by', by, Object.keys(DIMENSIONS))
  const sort = textOf(values.sort) ?? 'errors'
  const order = own(ORDERS, sort) ?? refuse('sort', sort, Object.keys(ORDERS))
  const [filters = [], ...others] = alternativesOf({ ...values, since: undefined, until: undefined, name: undefined })
  if (others.length > 0) throw new QuestionError('stats cannot search for a text: use list with --text')
  const name = textOf(values.name)
  const named = name === undefined ? [] : (alternativesOf({ name })[0] ?? [])
  const to = Date.parse(textOf(values.until) ?? new Date().toISOString())
  const from = Date.parse(textOf(values.since) ?? '')
  const query = { dimension, filters: [...filters, ...named] }
  const [now, before] = await Promise.all([
    figuresOf(reader, { ...query, from, to }),
    figuresOf(reader, { ...query, from: from - (to - from), to: from }),
  ])
  const compared = [...now].map(([group, figures]): Compared => ({ group, now: figures, before: before.get(group) }))
  const sorted = compared.sort((one, other) => order(other) - order(one) || other.now.count - one.now.count)
  const limit = limitOf(values)
  const left = sorted.length - limit
  return {
    title: `${sorted.length} groups by ${by} since ${shownName(asked.since)}, sorted by ${sort}; in brackets the change against the period before`,
    rows: [totalOf(sorted), ...sorted.slice(0, limit).map((each) => rowOfFigures(each, by))],
    ...(left > 0 && { more: { what: `${left} more groups`, params: { limit: sorted.length } } }),
  }
}

function refuse(name: string, given: string, known: readonly string[]): never {
  throw new QuestionError(`${name}=${JSON.stringify(shownName(given))}: expected one of ${known.join(', ')}`)
}

/** What is worst stands first. */
const ORDERS: Readonly<Record<string, (group: Compared) => number>> = {
  errors: ({ now }) => now.errors,
  slower: ({ now, before }) => (before === undefined ? Number.NEGATIVE_INFINITY : now.p50Ms - before.p50Ms),
  latency: ({ now }) => now.p95Ms,
  cost: ({ now }) => now.costUsd ?? 0,
  tokens: ({ now }) => now.tokens,
  count: ({ now }) => now.count,
}

interface MetricsWanted {
  readonly dimension: string
  readonly filters: readonly object[]
  readonly from: number
  readonly to: number
}

async function figuresOf(reader: TraceReader, wanted: MetricsWanted): Promise<Map<string, GroupFigures>> {
  const { dimension } = wanted
  const failed = {
    ...wanted,
    filters: [...wanted.filters, equals('level', 'ERROR')],
  }
  const [rows, errors] = await Promise.all([
    metricsOf(reader, wanted, [dimension], METRICS),
    metricsOf(reader, failed, [dimension], METRICS.slice(0, 1)),
  ])
  const isPriced = rows.every((row) => number(row.count_totalCost) >= number(row.count_totalTokens))
  const estimates = isPriced ? new Map<string, number>() : await estimatesOf(reader, wanted)
  const errorsOf = new Map(errors.map((row) => [keyOf(row, dimension), number(row.count_count)]))
  return new Map(
    rows.map((row) => {
      const key = keyOf(row, dimension)
      const estimate = estimates.get(key)
      const sent = row.sum_totalCost === null || row.sum_totalCost === undefined ? undefined : number(row.sum_totalCost)
      const figures: GroupFigures = {
        count: number(row.count_count),
        errors: errorsOf.get(key) ?? 0,
        p50Ms: number(row.p50_latency),
        p95Ms: number(row.p95_latency),
        tokens: number(row.sum_totalTokens),
        costUsd: sent === undefined && estimate === undefined ? null : (sent ?? 0) + (estimate ?? 0),
        costIsEstimated: estimate !== undefined,
      }
      return [key, figures]
    }),
  )
}

/** The costs of calls that came without one, by the built-in prices. */
async function estimatesOf(reader: TraceReader, wanted: MetricsWanted): Promise<Map<string, number>> {
  const unpriced = [...wanted.filters, { type: 'null', column: 'totalCost', operator: 'is null', value: '' }]
  const model = 'providedModelName'
  const dimensions = [...new Set([wanted.dimension, model])]
  const rows = await metricsOf(reader, { ...wanted, filters: unpriced }, dimensions, TOKENS)
  const estimates = new Map<string, number>()
  for (const row of rows) {
    const name = row[model]
    const usage = { input: number(row.sum_inputTokens), output: number(row.sum_outputTokens) }
    const usd = estimatedCost(typeof name === 'string' ? name : null, usage)
    const key = keyOf(row, wanted.dimension)
    if (usd !== null && usd > 0) estimates.set(key, (estimates.get(key) ?? 0) + usd)
  }
  return estimates
}

async function metricsOf(
  reader: TraceReader,
  { filters, from, to }: MetricsWanted,
  dimensions: readonly string[],
  metrics: readonly object[],
): Promise<readonly Figure[]> {
  const query = {
    view: 'observations',
    dimensions: dimensions.map((field) => ({ field })),
    metrics,
    filters,
    fromTimestamp: new Date(from).toISOString(),
    toTimestamp: new Date(to).toISOString(),
    config: { row_limit: MOST },
  }
  return (await reader.metrics.metrics({ query: JSON.stringify(query) })).data
}

/** The service writes large figures as texts. */
const number = (value: unknown): number => Number(value ?? 0) || 0
const keyOf = (row: Figure, dimension: string): string => String(row[dimension] ?? '(none)')

function totalOf(all: readonly Compared[]): Row {
  const sum = (of: (figures: GroupFigures) => number) => all.reduce((total, { now }) => total + of(now), 0)
  const [count, errors, tokens] = [sum((one) => one.count), sum((one) => one.errors), sum((one) => one.tokens)]
  const costUsd = sum((one) => one.costUsd ?? 0)
  const costIsEstimated = all.some(({ now }) => now.costIsEstimated)
  const cost = costUsd > 0 ? `  ${shownCost(costUsd, costIsEstimated)}` : ''
  return {
    text: `all: ${count} observations  ${errors} failed  ${tokens} tokens${cost}`,
    style: 'bold',
    data: { group: null, count, errors, tokens, costUsd, costIsEstimated },
  }
}

function rowOfFigures({ group, now, before }: Compared, by: string): Row {
  const change = (of: (figures: GroupFigures) => number) => {
    const was = before && of(before)
    if (was === undefined || was === 0) return ''
    const percent = Math.round((of(now) / was - 1) * 100)
    return percent === 0 ? '' : ` (${percent > 0 ? '+' : ''}${percent} %)`
  }
  const details = [
    shownName(group, 60),
    `${now.count}×${change((one) => one.count)}`,
    now.errors > 0 && `${now.errors} failed${change((one) => one.errors)}`,
    `p50 ${shownDuration(now.p50Ms)}${change((one) => one.p50Ms)}`,
    `p95 ${shownDuration(now.p95Ms)}${change((one) => one.p95Ms)}`,
    now.tokens > 0 && `${now.tokens} tokens${change((one) => one.tokens)}`,
    now.costUsd !== null && `${shownCost(now.costUsd, now.costIsEstimated)}${change((one) => one.costUsd ?? 0)}`,
    before === undefined && 'new',
  ]
  return {
    text: details.filter((each) => each).join('  '),
    ...(now.errors > 0 && { style: 'red' as const }),
    data: { by, group, ...now, before: before ?? null },
  }
}
