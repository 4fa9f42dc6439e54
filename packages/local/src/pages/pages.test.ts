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

it.each([`/traces/${TRACE}`, '/traces/unknown'])('%s runs no script, loads nothing and escapes all', async (path) => {
  const { headers, text } = await open(path)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(text).not.toMatch(/<script|style="|src=|\son\w+=/)
})

describe('a trace', () => {
  it('is a tree with type, model, tokens, latency, level and content', async () => {
    const { status, text } = await open(`/traces/${TRACE}`)
    expect(status).toBe(200)
    for (const part of ['GENERATION', 'gpt-5', '12 → 34 tokens', '1.50 s', 'ERROR', `<pre>${ESCAPED}</pre>`]) {
      expect(text).toContain(part)
    }
    expect(text.indexOf('model call')).toBeGreaterThan(text.lastIndexOf('<ul'))
  })

  it('says why an observation failed, and with which parameters the model was asked', async () => {
    const { text } = await open(`/traces/${TRACE}`)
    expect(text).toContain(`<span class="message">429 ${ESCAPED}</span>`)
    expect(text).toContain('Model parameters')
  })

  it('has its scores beside its facts, and those of an observation beside its name', async () => {
    const { text } = await open(`/traces/${TRACE}`)
    const [facts = '', tree = ''] = text.split('<ul class="tree">')
    const mark = `<span class="score" title="${ESCAPED}">`
    expect(facts).toContain(`${mark}${ESCAPED} <b>${ESCAPED}</b></span>`)
    expect(facts).toContain(`${mark}long <b>${'y'.repeat(80)}…</b></span>`)
    expect(tree).toContain(`${mark}of the call <b>true</b></span>`)
    expect(facts).not.toContain('of the call')
  })

  it('of an experiment names it, and links to it', async () => {
    const traceId = 'e'.repeat(32)
    const marks = said({ 'svc.experiment.id': 'x', 'svc.experiment.name': 'run 1', 'svc.experiment.item.id': 'i1' })
    const item = { traceId, spanId: '1'.repeat(16), attributes: marks }
    await post(local, otlpJson([item]), { 'content-type': 'application/json' })
    const { text } = await open(`/traces/${traceId}`)
    expect(text).toContain('<a href="/project/svc-local/experiments/results?baseline=x">run 1</a>, item i1')
  })

  it('of many long values shows less of each', async () => {
    const traceId = 'b'.repeat(32)
    const attributes = [{ key: 'svc.observation.input', value: { stringValue: 'x'.repeat(30_000) } }]
    const many = Array.from({ length: 1_000 }, (_, at) => ({
      traceId,
      spanId: String(at + 1).padStart(16, '0'),
      attributes,
    }))
    const other = await startLocal()
    await post(other, otlpJson(many), { 'content-type': 'application/json' })
    const text = await (await fetch(`${other.url}/traces/${traceId}`)).text()
    await other.close()
    expect(text.length).toBeLessThan(12_000_000)
    expect(text).toContain('20000 more characters are not shown here')
  })

  it('shows no more of a long value than a browser likes', async () => {
    const { text } = await open(`/traces/${TRACE}`)
    expect(text.length).toBeLessThan(120_000)
    expect(text).toMatch(/1000\d\d more characters are not shown here/)
  })

  it('that is unknown is not found', async () => {
    const { status, text } = await open('/traces/unknown')
    expect([status, text.includes('No such trace')]).toEqual([404, true])
  })
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
