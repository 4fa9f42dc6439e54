import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../../test/support/api.ts'
import { attributes as said } from '../../test/support/attributes.ts'
import { otlpJson, post } from '../../test/support/sdk.ts'
import { type LocalService, startLocal } from '../index.ts'

const NASTY = `<script>alert("1")</script>&'`
const ESCAPED = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;'
const TRACE = 'a'.repeat(32)

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
  const root = {
    traceId: TRACE,
    spanId: '1'.repeat(16),
    name: NASTY,
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001500000000',
    attributes: said({ 'user.id': NASTY, 'session.id': 's1', 'svc.observation.input': NASTY }),
  }
  const call = {
    ...root,
    spanId: '2'.repeat(16),
    parentSpanId: '1'.repeat(16),
    name: 'model call',
    status: { code: 2, message: `429 ${NASTY}` },
    attributes: said({
      'gen_ai.request.temperature': '0.5',
      'svc.observation.type': 'generation',
      'svc.observation.model.name': 'gpt-5',
      'svc.observation.usage_details': '{"input":12,"output":34}',
      'svc.observation.output': `{"said":"${'x'.repeat(200_000)}"}`,
    }),
  }
  const others = Array.from({ length: 60 }, (_, at) => ({
    traceId: String(at + 1).padStart(32, '0'),
    spanId: '1'.repeat(16),
    name: `trace ${at}`,
    startTimeUnixNano: `16000000${String(at).padStart(2, '0')}000000000`,
  }))
  await post(local, otlpJson([root, call, ...others]), { 'content-type': 'application/json' })
})
afterAll(() => local.close())

beforeAll(async () => {
  const score = { name: NASTY, value: NASTY, traceId: TRACE, comment: NASTY }
  await call(local, 'POST /scores', [
    score,
    { ...score, name: 'of the call', value: 1, dataType: 'BOOLEAN', observationId: '2'.repeat(16) },
    { ...score, name: 'long', value: 'y'.repeat(500) },
  ])
})

async function open(path: string) {
  const response = await fetch(local.url + path)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

it.each(['/', '/traces/any'])('%s loads its own script and style, and obeys nothing else', async (path) => {
  const { status, headers } = await open(path)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /)
  expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

describe('the links that the client gives out', () => {
  const PROJECT = '/project/svc-local'

  it('to a trace lead to its page', async () => {
    const response = await fetch(`${local.url}${PROJECT}/traces/${TRACE}`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, `/traces/${TRACE}`])
  })

  it('to an experiment show its items with their scores, and its own', async () => {
    const traceId = 'f'.repeat(32)
    const marks = said({
      'svc.experiment.id': 'shown',
      'svc.experiment.name': NASTY,
      'svc.experiment.item.id': NASTY,
      'svc.experiment.item.expected_output': '42',
      'svc.observation.input': NASTY,
      'svc.observation.output': 'z'.repeat(600),
    })
    const item = { traceId, spanId: '1'.repeat(16), attributes: marks }
    await post(local, otlpJson([item]), { 'content-type': 'application/json' })
    await call(local, 'POST /scores', [
      { name: 'of the item', value: 0.5, traceId },
      { name: 'of the run', value: 'good', datasetRunId: 'shown' },
    ])
    const { status, text } = await open(`${PROJECT}/experiments/results?baseline=shown`)
    expect(status).toBe(200)
    for (const part of [`<h1>${ESCAPED}</h1>`, 'of the item <b>0.5</b>', 'of the run <b>good</b>', '>42<', '1 item ']) {
      expect(text).toContain(part)
    }
    expect(text).toContain(`<a class="cell" href="/traces/${traceId}">${ESCAPED}</a>`)
    expect(text).toContain(`${'z'.repeat(500)}…`)
    expect(text).not.toContain('<script')
  })

  it('to an item of a dataset show what it says', async () => {
    await call(local, 'POST /v2/datasets', { name: 'set' })
    await call(local, 'POST /dataset-items', { datasetName: 'set', id: 'one', input: { a: NASTY } })
    const { text } = await open(`${PROJECT}/datasets/any/items/one`)
    expect(text).toContain('Dataset set')
    expect(text).toContain('&lt;script&gt;')
  })

  it.each([
    [`${PROJECT}/experiments/results?baseline=none`, 'No such experiment'],
    [`${PROJECT}/experiments/results`, 'No such experiment'],
    [`${PROJECT}/datasets/any/items/none`, 'No such item'],
  ])('%s is not found', async (path, message) => {
    const { status, text } = await open(path)
    expect([status, text.includes(message)]).toEqual([404, true])
  })
})
