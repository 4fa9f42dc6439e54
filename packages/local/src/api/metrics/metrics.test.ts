import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, refused } from '../../../test/support/api.ts'
import { attributes } from '../../../test/support/attributes.ts'
import { otlpJson, post } from '../../../test/support/sdk.ts'
import type { Call } from '../../http/router.ts'
import { type LocalService, startLocal } from '../../index.ts'
import type { ReadService } from '../../service.ts'
import type { ReadStore } from '../../store/read-store.ts'
import type { Clause } from '../../store/rows.ts'
import { Store } from '../../store/store.ts'
import { getMetrics } from './get.ts'

const TRACE = 'a'.repeat(32)
const DAY = 86_400
const START = 1_700_006_400 // 2023-11-15T00:00:00Z, a Wednesday

const observation = (at: number, seconds: number, model: string, tokens: number) => ({
  traceId: TRACE,
  spanId: String(at).padStart(16, '0'),
  startTimeUnixNano: `${START + at}000000000`,
  endTimeUnixNano: `${START + at + seconds}000000000`,
  attributes: attributes({
    'svc.observation.type': 'generation',
    'svc.observation.model.name': model,
    'svc.observation.usage_details': `{"input":1,"output":${tokens - 1},"total":${tokens}}`,
  }),
})

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
  const spans = [
    observation(1, 1, 'small', 10),
    observation(2, 3, 'small', 20),
    observation(DAY + 1, 5, 'large', 30),
    { traceId: 'b'.repeat(32), spanId: '9'.repeat(16), name: 'plain', startTimeUnixNano: `${START}000000000` },
  ]
  await post(local, otlpJson(spans), { 'content-type': 'application/json' })
  await call(local, 'POST /scores', [
    { name: 'quality', value: 1, traceId: TRACE },
    { name: 'quality', value: 2, traceId: TRACE },
    { name: 'polite', value: 1, dataType: 'BOOLEAN', traceId: TRACE },
    { name: 'tone', value: 'warm', traceId: TRACE },
    { name: 'tone', value: 'warm', traceId: TRACE },
    { name: 'tone', value: 'cold', traceId: TRACE },
  ])
})
afterAll(() => local.close())

const send = (query: unknown) => call(local, `GET /v2/metrics?query=${encodeURIComponent(JSON.stringify(query))}`)
const figures = async (query: object) => (await send({ view: 'observations', ...query })).body.data
const of = (measure: string, aggregation: string) => ({ measure, aggregation })

it('a metrics query without dimensions returns one row, also without data', async () => {
  expect(await figures({ metrics: [of('count', 'count')] })).toEqual([{ count_count: 4 }])
  expect(await figures({ metrics: [of('count', 'count')], toTimestamp: '2020-01-01T00:00:00Z' })).toEqual([
    { count_count: 0 },
  ])
})

it.each([
  ['sum', 60],
  ['avg', 20],
  ['min', 10],
  ['max', 30],
  ['count', 3],
  ['uniq', 3],
  ['p50', 20],
  ['p75', 25],
  ['p99', 29.8],
  [
    'histogram',
    [
      [10, 20, 1],
      [20, 30, 2],
    ],
  ],
])('the metric totalTokens: %s', async (aggregation, expected) => {
  const [row] = await figures({ metrics: [of('totalTokens', aggregation)], config: { bins: 2 } })
  expect(row).toEqual({ [`${aggregation}_totalTokens`]: expected })
})

it('the metric latency is in milliseconds', async () => {
  expect(await figures({ metrics: [of('latency', 'max')] })).toEqual([{ max_latency: 5_000 }])
})

it('metrics are sorted by the first metric, descending, or by orderBy', async () => {
  const query = { metrics: [of('count', 'count')], dimensions: [{ field: 'providedModelName' }] }
  const expected = [
    { providedModelName: 'small', count_count: 2 },
    { providedModelName: null, count_count: 1 },
    { providedModelName: 'large', count_count: 1 },
  ]
  expect(await figures(query)).toEqual(expect.arrayContaining(expected))
  expect((await figures(query))[0]).toEqual(expected[0])
  const ordered = await figures({ ...query, orderBy: [{ field: 'providedModelName', direction: 'asc' }] })
  expect(ordered.map((row: Record<string, unknown>) => row.providedModelName)).toEqual([null, 'large', 'small'])
  expect(await figures({ ...query, config: { row_limit: 1 } })).toHaveLength(1)
})

it('metrics are filtered by columns and time', async () => {
  const filters = [{ type: 'string', column: 'providedModelName', operator: '=', value: 'small' }]
  expect(await figures({ metrics: [of('count', 'count')], filters })).toEqual([{ count_count: 2 }])
  const fromTimestamp = new Date((START + DAY) * 1_000).toISOString()
  expect(await figures({ metrics: [of('count', 'count')], fromTimestamp })).toEqual([{ count_count: 1 }])
})

it.each([
  ['day', '2023-11-15T00:00:00.000Z', '2023-11-16T00:00:00.000Z'],
  ['hour', '2023-11-15T00:00:00.000Z', '2023-11-16T00:00:00.000Z'],
  ['auto', '2023-11-15T00:00:00.000Z', '2023-11-16T00:00:00.000Z'],
  ['week', '2023-11-13T00:00:00.000Z', undefined],
  ['month', '2023-11-01T00:00:00.000Z', undefined],
])('metrics are grouped by %s', async (granularity, first, second) => {
  const rows = await figures({ metrics: [of('count', 'count')], timeDimension: { granularity } })
  expect(rows).toEqual([
    { time_dimension: first, count_count: second ? 3 : 4 },
    ...(second ? [{ time_dimension: second, count_count: 1 }] : []),
  ])
})

describe('the metrics of scores', () => {
  it.each([
    ['scores-numeric', { metrics: [{ measure: 'value', agg: 'avg' }] }, [{ avg_value: 1.5 }]],
    ['scores-boolean', { metrics: [of('count', 'count')] }, [{ count_count: 1 }]],
    [
      'scores-categorical',
      { metrics: [of('count', 'count')], dimensions: [{ field: 'name' }, { field: 'value' }] },
      [
        { name: 'tone', value: 'warm', count_count: 2 },
        { name: 'tone', value: 'cold', count_count: 1 },
      ],
    ],
  ])('%s', async (view, query, expected) => {
    expect(await figures({ view, ...query })).toEqual(expected)
  })
})

it.each([
  [{}, 'view'],
  [{ view: 'traces' }, 'view'],
  [{ view: 'observations' }, 'metrics'],
  [{ view: 'observations', metrics: {} }, 'metrics'],
  [{ view: 'observations', metrics: [of('nothing', 'sum')] }, 'metrics'],
  [{ view: 'observations', metrics: [of('constructor', 'sum')] }, 'metrics'],
  [{ view: 'observations', metrics: [of('count', 'median')] }, 'metrics'],
  [{ view: 'observations', metrics: [of('count', 'count')], dimensions: [{ field: 'metadata' }] }, 'dimensions'],
  [{ view: 'observations', metrics: [of('count', 'count')], filters: [{}] }, 'filters'],
  [{ view: 'observations', metrics: [of('count', 'count')], timeDimension: { granularity: 'year' } }, 'timeDimension'],
  [{ view: 'observations', metrics: [of('count', 'count')], fromTimestamp: 'now' }, 'fromTimestamp'],
  [{ view: 'observations', metrics: [of('count', 'count')], orderBy: [{ field: 'x' }] }, 'orderBy'],
  [{ view: 'observations', metrics: [of('count', 'count')], config: { row_limit: 0 } }, 'config'],
])('the metrics query %j is refused', async (query, field) => {
  expect(await send(query)).toMatchObject(refused(field, expect.any(String)))
})

it('a metrics query that is missing or not JSON is refused', async () => {
  for (const query of ['', 'query=', 'query=[']) {
    expect(await call(local, `GET /v2/metrics?${query}`)).toMatchObject(refused('query', expect.any(String)))
  }
})

it('metrics of observations are read from an index, without inputs and outputs', () => {
  const store = new Store()
  const plans: string[] = []
  const query = (clause: Clause) => {
    plans.push(
      ...store.query({ ...clause, sql: `EXPLAIN QUERY PLAN ${clause.sql}` }).map(({ detail }) => String(detail)),
    )
    return store.query(clause)
  }
  const metrics = ['latency', 'timeToFirstToken', 'totalTokens', 'totalCost', 'userId'].map((measure) => ({
    measure,
    aggregation: 'p95',
  }))
  for (const dimensions of [['name'], ['type', 'level', 'model'], ['environment', 'userId', 'sessionId']]) {
    const parameters = {
      view: 'observations',
      metrics,
      dimensions: dimensions.map((field) => ({ field })),
      timeDimension: { granularity: 'day' },
      fromTimestamp: '2026-01-01T00:00:00Z',
    }
    const request = { query: new URLSearchParams({ query: JSON.stringify(parameters) }) } as Call
    expect(getMetrics(request, { store: { query } as ReadStore } as ReadService).status).toBe(200)
  }
  const reads = plans.filter((detail) => /^(SCAN|SEARCH) observations/.test(detail))
  expect(reads.length).toBe(3)
  expect(reads.filter((detail) => !detail.includes('COVERING INDEX by_figures'))).toEqual([])
  store.close()
})
