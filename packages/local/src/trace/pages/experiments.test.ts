import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '../../../test/support/api.ts'
import { attributes } from '../../../test/support/attributes.ts'
import { otlpJson, post } from '../../../test/support/sdk.ts'
import { type LocalService, startLocal } from '../../index.ts'

const START = 1_700_000_000
const trace = (n: number) => String(n).repeat(32)

/** An item that took `n` seconds, and cost `n` dollars. */
const item = (n: number, run: string, datasetId: string) => ({
  ...{ traceId: trace(n), spanId: String(n).repeat(16), name: 'experiment-item-run' },
  startTimeUnixNano: `${START + n}000000000`,
  endTimeUnixNano: `${START + 2 * n}000000000`,
  ...(n === 2 && { status: { code: 2 } }),
  attributes: attributes({
    'svc.experiment.id': run,
    'svc.experiment.name': `run ${run}`,
    'svc.experiment.description': 'a try',
    'svc.experiment.dataset.id': datasetId,
    'svc.experiment.item.id': `item ${n}`,
    'svc.experiment.item.root_observation_id': String(n).repeat(16),
    'svc.observation.type': 'generation',
    'svc.experiment.item.expected_output': '2.50',
    'svc.observation.output': '{"price":1.10}',
    'svc.observation.cost_details': JSON.stringify({ total: n }),
  }),
})

let local: LocalService
beforeAll(async () => {
  local = await startLocal({ token: false })
  const { body: dataset } = await call(local, 'POST /v2/datasets', { name: 'questions' })
  const spans = [item(1, 'A', dataset.id), item(2, 'A', dataset.id), item(3, 'B', 'unknown')]
  await post(local, otlpJson(spans, { name: 'svc-sdk', version: '6.0.0' }), { 'content-type': 'application/json' })
  await call(local, 'POST /scores', [
    { name: 'accuracy', value: 1, traceId: trace(1) },
    { name: 'accuracy', value: 0.5, traceId: trace(2) },
    { name: 'tone', value: 0.5, traceId: trace(2) },
    { name: 'tone', value: 0.25, datasetRunId: 'A' },
  ])
})
afterAll(() => local.close())

it('runs are listed with their dataset and the figures of their items, the newest first', async () => {
  const shared = { description: 'a try', estimated: false }
  const runs = await (await fetch(`${local.url}/viewer/experiments`)).json()
  expect(runs).toEqual([
    {
      ...{ ...shared, id: 'B', name: 'run B', dataset: null, startTime: (START + 3) * 1e6, items: 1, failed: 0 },
      ...{ latency: 3e6, cost: 3, averages: {} },
    },
    {
      ...{ ...shared, id: 'A', name: 'run A', dataset: 'questions', startTime: (START + 1) * 1e6, items: 2, failed: 1 },
      ...{ latency: 1.5e6, cost: 3, averages: { accuracy: 0.75, tone: 0.5 } },
    },
  ])
})

it('the outputs of an item have their numbers as they were sent', async () => {
  const items = await fetch(`${local.url}/viewer/experiments/B/items`)
  expect(await items.text()).toContain('"output":{"price":1.10},"expected":2.50')
})
