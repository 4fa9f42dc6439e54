import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, refused } from '../../../test/support/api.ts'
import { attributes } from '../../../test/support/attributes.ts'
import { otlpJson, post } from '../../../test/support/sdk.ts'
import { type LocalService, startLocal } from '../../index.ts'
import { Store } from '../../store/store.ts'
import { VIEWS } from './views.ts'

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
  local = await startLocal({ token: false })
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

it('a condition on values, on long texts, on numbers and on time choose rows', async () => {
  const count = async (...filters: object[]) =>
    (await figures({ metrics: [of('count', 'count')], filters }))[0].count_count
  const model = { type: 'string', column: 'providedModelName' }
  expect(await count({ ...model, operator: 'contains', value: 'mal' })).toBe(2)
  expect(await count({ type: 'null', column: 'providedModelName', operator: 'is null', value: '' })).toBe(1)
  expect(
    await count({ type: 'stringOptions', column: 'providedModelName', operator: 'none of', value: ['small'] }),
  ).toBe(2)
  expect(await count({ type: 'string', column: 'id', operator: 'starts with', value: '999' })).toBe(1)
  expect(await count({ type: 'number', column: 'latency', operator: '>=', value: 3 })).toBe(2)
  expect(
    await count(
      { type: 'number', column: 'latency', operator: '>=', value: 3 },
      { ...model, operator: '=', value: 'small' },
    ),
  ).toBe(1)
})

it('groups by several dimensions and periods at once, and counts different values', async () => {
  expect(
    await figures({
      metrics: [of('traceId', 'uniq'), of('totalTokens', 'sum'), of('userId', 'count'), of('userId', 'p50')],
      dimensions: [{ field: 'type' }, { field: 'providedModelName' }],
      timeDimension: { granularity: 'day' },
    }),
  ).toEqual([
    row('2023-11-15', 'GENERATION', 'small', { uniq_traceId: 1, sum_totalTokens: 30 }),
    row('2023-11-15', 'SPAN', null, { uniq_traceId: 1, sum_totalTokens: null }),
    row('2023-11-16', 'GENERATION', 'large', { uniq_traceId: 1, sum_totalTokens: 30 }),
  ])
})

const row = (day: string, type: string, providedModelName: string | null, rest: object) => ({
  time_dimension: `${day}T00:00:00.000Z`,
  type,
  providedModelName,
  count_userId: 0,
  p50_userId: null,
  ...rest,
})

it('has what arrived, changed and went since the metrics before', async () => {
  const own = await startLocal({ token: false })
  const tokens = async () => {
    const query = { view: 'observations', metrics: [of('totalTokens', 'sum')], dimensions: [{ field: 'name' }] }
    const { body } = await call(own, `GET /v2/metrics?query=${encodeURIComponent(JSON.stringify(query))}`)
    return Object.fromEntries(body.data.map((one: Record<string, string>) => [one.name, one.sum_totalTokens]))
  }
  const send = (name: string, at: number, count: number, traceId = TRACE) =>
    post(own, otlpJson([{ ...observation(at, 1, 'small', count), name, traceId }]), {
      'content-type': 'application/json',
    })
  expect(await tokens()).toEqual({})
  await send('one', 1, 10)
  await send('other', 2, 5, 'c'.repeat(32))
  expect(await tokens()).toEqual({ one: 10, other: 5 })
  await send('one', 3, 20)
  expect(await tokens()).toEqual({ one: 30, other: 5 })
  await send('renamed', 1, 7)
  expect(await tokens()).toEqual({ one: 20, renamed: 7, other: 5 })
  expect((await call(own, `DELETE /traces/${TRACE}` as never)).status).toBe(200)
  expect(await tokens()).toEqual({ other: 5 })
  await send('again', 1, 3)
  expect(await tokens()).toEqual({ again: 3, other: 5 })
  await own.close()
})

it('the metrics of the page count tokens and costs as its list of traces does', async () => {
  const own = await startLocal({ token: false })
  const sent = (at: number, details: Record<string, string>) => ({
    ...observation(at, 1, 'gpt-4.1', 1),
    attributes: attributes(details),
  })
  const model = { 'svc.observation.type': 'generation', 'svc.observation.model.name': 'gpt-4.1' }
  const usage = { 'svc.observation.usage_details': '{"input":900000,"input_cached_tokens":100000,"output":1000}' }
  await post(
    own,
    otlpJson([
      sent(1, { ...model, ...usage }),
      sent(2, { ...model, ...usage, 'svc.observation.cost_details': '{"input":1,"output":2}' }),
      sent(3, { ...model, ...usage, 'svc.observation.cost_details': '{"input":1,"output":2,"total":10}' }),
      sent(4, model),
    ]),
    { 'content-type': 'application/json' },
  )
  const metrics = [
    ...['inputTokens', 'outputTokens', 'totalCost'].map((measure) => of(measure, 'sum')),
    of('estimatedCost', 'count'),
  ]
  const query = encodeURIComponent(JSON.stringify({ view: 'observations', metrics }))
  const page = async (path: string) =>
    (await (await fetch(`${own.url}/viewer/${path}`)).json()) as { data: Record<string, unknown>[] }
  const [figures] = (await page(`metrics?query=${query}`)).data
  const [trace] = (await page('traces')).data
  expect(figures).toEqual({
    sum_inputTokens: 3_000_000,
    sum_outputTokens: 3_000,
    sum_totalCost: expect.closeTo(1.858 + 3 + 10, 6),
    count_estimatedCost: 1,
  })
  expect(trace).toMatchObject({ inputTokens: 3_000_000, outputTokens: 3_000, cost: figures?.sum_totalCost })
  expect(await call(own, `GET /v2/metrics?query=${query}`)).toMatchObject(
    refused('metrics', expect.stringContaining('unknown measure estimatedCost')),
  )
  await own.close()
})

describe('metrics of the first and the last date that there is', () => {
  const [FIRST, LAST] = ['-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00.000Z']

  it.each([
    ['minute', FIRST, LAST],
    ['hour', FIRST, LAST],
    ['day', FIRST, LAST],
    ['week', FIRST, '+275760-09-08T00:00:00.000Z'],
    ['month', FIRST, '+275760-09-01T00:00:00.000Z'],
    ['auto', FIRST, '+275760-09-01T00:00:00.000Z'],
  ])('are in the order of time, by %s', async (granularity, first, last) => {
    const own = await startLocal({ token: false })
    for (const timestamp of [LAST, FIRST]) {
      await call(own, 'POST /scores', { name: 'n', value: 1, traceId: TRACE, timestamp })
    }
    const query = { view: 'scores-numeric', metrics: [of('count', 'count')], timeDimension: { granularity } }
    const { body } = await call(own, `GET /v2/metrics?query=${encodeURIComponent(JSON.stringify(query))}`)
    expect(body).toEqual({
      data: [first, last].map((time_dimension) => ({ time_dimension, count_count: 1 })),
    })
    await own.close()
  })
})

it('measures and dimensions of observations are read from one index, without inputs and outputs', () => {
  const store = new Store()
  const { measures = {}, columns = {} } = VIEWS.observations ?? {}
  const long = ['input', 'output', 'statusMessage', 'id', 'parentObservationId']
  const dimensions = Object.entries(columns).filter(
    ([field, { kind }]) => ['text', 'number'].includes(kind) && !long.includes(field),
  )
  const list = [...Object.values(measures), ...dimensions.map(([, column]) => column)].map(({ sql }) => sql)
  const plan = `EXPLAIN QUERY PLAN SELECT ${list.join(', ')} FROM observations WHERE model IS NOT NULL GROUP BY model`
  expect(store.query({ sql: plan, values: [] })[0]?.detail).toContain('USING COVERING INDEX')
  store.close()
})

it('numbers that JavaScript has no integers for are measured and grouped', async () => {
  const own = await startLocal({ token: false })
  const large = {
    ...observation(1, 1, 'small', 1),
    attributes: attributes({ 'svc.observation.usage_details': '{"total":1e18}' }),
  }
  await post(own, otlpJson([large]), { 'content-type': 'application/json' })
  const metrics = ['sum', 'max', 'p50', 'uniq'].map((aggregation) => of('totalTokens', aggregation))
  const query = JSON.stringify({ view: 'observations', metrics, dimensions: [{ field: 'totalTokens' }] })
  expect((await call(own, `GET /v2/metrics?query=${encodeURIComponent(query)}`)).body.data).toEqual([
    { totalTokens: 1e18, sum_totalTokens: 1e18, max_totalTokens: 1e18, p50_totalTokens: 1e18, uniq_totalTokens: 1 },
  ])
  await own.close()
})
