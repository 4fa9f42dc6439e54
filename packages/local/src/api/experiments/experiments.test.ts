import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, refused } from '../../../test/support/api.ts'
import { attributes } from '../../../test/support/attributes.ts'
import { otlpJson, post } from '../../../test/support/sdk.ts'
import { type LocalService, startLocal } from '../../index.ts'

const at = (second: number) => `17000000${String(second).padStart(2, '0')}000000000`
const iso = (second: number) => new Date(1_700_000_000_000 + second * 1_000).toISOString()
const trace = (n: number) => String(n).repeat(32)
const root = (n: number) => String(n).repeat(16)

/** The root span of an item, as the runner writes it, and a span below it. */
function item(n: number, experiment: string, more: Record<string, string> = {}) {
  const marks = {
    'svc.experiment.id': experiment,
    'svc.experiment.name': `run ${experiment}`,
    'svc.experiment.metadata': '{"model":{"name":"gpt-5"},"seed":7}',
    'svc.experiment.item.id': `item ${n}`,
    'svc.experiment.item.root_observation_id': root(n),
    'svc.environment': 'sdk-experiment',
  }
  const span = {
    traceId: trace(n),
    spanId: root(n),
    name: 'experiment-item-run',
    startTimeUnixNano: at(n),
    endTimeUnixNano: at(n + 1),
    attributes: attributes({
      ...marks,
      'svc.experiment.description': 'a try',
      'svc.experiment.item.metadata': '{"level":"easy"}',
      'svc.experiment.item.expected_output': '{"answer":42}',
      'svc.observation.input': '{"question":"?"}',
      'svc.observation.output': 'forty-two',
      'svc.observation.metadata.note': '"kept"',
      ...more,
    }),
  }
  return [span, { ...span, spanId: '9'.repeat(16), parentSpanId: root(n), attributes: attributes(marks) }]
}

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
  const version = { 'svc.experiment.dataset.id': 'd1', 'svc.experiment.item.version': '2026-01-01T00:00:00Z' }
  const spans = [item(1, 'A', version), item(2, 'A'), item(3, 'B', { 'svc.experiment.item.version': 'none' })].flat()
  await post(local, otlpJson(spans, { name: 'svc-sdk', version: '6.0.0' }), { 'content-type': 'application/json' })
  await call(local, 'POST /scores', [
    { id: 's1', name: 'accuracy', value: 1, traceId: trace(1), observationId: root(1) },
    { id: 's2', name: 'tone', value: 0.5, traceId: trace(1) },
    { id: 's3', name: 'average', value: 0.75, datasetRunId: 'A' },
  ])
})
afterAll(() => local.close())

const FROM = `fromStartTime=${iso(0)}`
const items = (query: string) => call(local, `GET /experiment-items?${query}`)
const experiments = (query: string) => call(local, `GET /experiments?${query}`)
const ids = ({ body }: Awaited<ReturnType<typeof items>>, key = 'id') =>
  body.data.map((row: Record<string, unknown>) => row[key])

describe('experiment items in the API', () => {
  it('are the root observations that name an experiment, newest first', async () => {
    const { status, body } = await items(FROM)
    expect([status, body.meta, ids({ body } as never)]).toEqual([200, {}, [root(3), root(2), root(1)]])
    expect(body.data[2]).toEqual({
      id: root(1),
      traceId: trace(1),
      startTime: iso(1),
      endTime: iso(2),
      level: 'DEFAULT',
      environment: 'sdk-experiment',
      experimentId: 'A',
      experimentName: 'run A',
      experimentItemId: 'item 1',
      experimentDatasetId: 'd1',
      experimentItemVersion: '2026-01-01T00:00:00.000Z',
    })
  })

  it('have the requested fields, and no version if it is not a date', async () => {
    const groups = 'core,dataset,io,metadata,itemMetadata,experimentMetadata,scores'
    const { body } = await items(`${FROM}&fields=${groups}`)
    expect(body.data[2]).toMatchObject({
      input: { question: '?' },
      output: 'forty-two',
      expectedOutput: { answer: 42 },
      metadata: { note: 'kept' },
      experimentItemMetadata: { level: 'easy' },
      experimentMetadata: { 'model.name': 'gpt-5', seed: 7 },
      experimentDescription: 'a try',
      scores: [{ id: 's2' }, { id: 's1', value: 1, subject: { kind: 'observation' } }],
    })
    expect(body.data[0]).toMatchObject({ experimentItemVersion: null, experimentDatasetId: null, scores: [] })
    expect((await items(`${FROM}&fields=core`)).body.data[0]).not.toHaveProperty('experimentDatasetId')
    expect((await items(`${FROM}&fields=scores&scoreLimit=1`)).body.data[2].scores).toHaveLength(1)
  })

  it.each([
    [`fromStartTime=${iso(2)}`, ['item 3', 'item 2']],
    [`${FROM}&toStartTime=${iso(2)}`, ['item 1']],
    [`${FROM}&experimentId=A,C`, ['item 2', 'item 1']],
    [`${FROM}&experimentName=run%20B`, ['item 3']],
    [`${FROM}&experimentItemId=item%201,item%203`, ['item 3', 'item 1']],
    [`${FROM}&datasetId=d1`, ['item 1']],
    [`${FROM}&filter=${filter('experimentName', 'contains', 'A')}`, ['item 2', 'item 1']],
  ])('%s', async (query, expected) => {
    expect(ids(await items(query), 'experimentItemId')).toEqual(expected)
  })

  it('are listed in pages, each item once', async () => {
    const first = await items(`${FROM}&limit=2`)
    const second = await items(`${FROM}&limit=2&cursor=${first.body.meta.cursor}`)
    expect([...ids(first), ...ids(second)]).toEqual([root(3), root(2), root(1)])
    expect(second.body.meta).toEqual({})
  })
})

describe('experiments in the API', () => {
  it('are derived from their items, the most recently active first', async () => {
    const { body } = await experiments(`${FROM}&fields=core,metadata,scores`)
    expect(body).toEqual({
      data: [
        expect.objectContaining({ id: 'B', itemCount: 1, datasetId: null, scores: [] }),
        {
          id: 'A',
          name: 'run A',
          description: 'a try',
          startTime: iso(1),
          endTime: iso(3),
          itemCount: 2,
          datasetId: 'd1',
          metadata: { 'model.name': 'gpt-5', seed: 7 },
          scores: [expect.objectContaining({ id: 's3', value: 0.75 })],
        },
      ],
      meta: {},
    })
    expect((await experiments(FROM)).body.data[1]).not.toHaveProperty('metadata')
  })

  it.each([
    [`fromStartTime=${iso(3)}`, ['B']],
    [`${FROM}&toStartTime=${iso(3)}`, ['A']],
    [`${FROM}&id=A`, ['A']],
    [`${FROM}&name=run%20B,nothing`, ['B']],
    [`${FROM}&datasetId=d1`, ['A']],
    [`${FROM}&filter=${filter('id', '=', 'B')}`, ['B']],
  ])('%s', async (query, expected) => {
    expect(ids(await experiments(query))).toEqual(expected)
  })

  it('are listed in pages', async () => {
    const first = await experiments(`${FROM}&limit=1`)
    const second = await experiments(`${FROM}&limit=1&cursor=${first.body.meta.cursor}`)
    expect([...ids(first), ...ids(second)]).toEqual(['B', 'A'])
    expect(second.body.meta).toEqual({})
  })
})

it.each([
  ['', 'fromStartTime'],
  ['fromStartTime=yesterday', 'fromStartTime'],
  [`${FROM}&toStartTime=x`, 'toStartTime'],
  [`${FROM}&limit=101`, 'limit'],
  [`${FROM}&scoreLimit=51`, 'scoreLimit'],
  [`${FROM}&cursor=x`, 'cursor'],
  [`${FROM}&fields=everything`, 'fields'],
  [`${FROM}&filter=[`, 'filter'],
  [`${FROM}&filter=${filter('level', '=', 'ERROR')}`, 'filter'],
])('%s is refused by both listings', async (query, parameter) => {
  expect(await experiments(query)).toMatchObject(refused(parameter, expect.any(String)))
  expect(await items(query)).toMatchObject(refused(parameter, expect.any(String)))
})

it('an experiment is deleted with the traces of its items', async () => {
  const other = await startLocal()
  await post(other, otlpJson([item(1, 'A'), item(2, 'A')].flat()), { 'content-type': 'application/json' })
  const { body } = await call(other, `GET /experiment-items?${FROM}&experimentId=A`)
  await call(other, 'DELETE /traces', { traceIds: body.data.map(({ traceId }: { traceId: string }) => traceId) })
  expect((await call(other, `GET /experiments?${FROM}`)).body.data).toEqual([])
  await other.close()
})

function filter(column: string, operator: string, value: string) {
  return encodeURIComponent(JSON.stringify([{ type: 'string', column, operator, value }]))
}
