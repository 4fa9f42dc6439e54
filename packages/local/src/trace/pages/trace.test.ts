import { afterAll, beforeAll, expect, it } from 'vitest'
import { opened } from '../../../test/support/page.ts'
import { ENCODERS, otlpJson, post, record } from '../../../test/support/sdk.ts'
import { entry, span } from '../../../test/support/span.ts'
import { type LocalService, startLocal } from '../../index.ts'
import { Store } from '../../store/store.ts'
import { otlpOf, receivedSpan } from '../otlp.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
})
afterAll(() => local.close())

const textOf = async (path: string) =>
  (await fetch(`${local.url}/viewer/traces/${path}`, { headers: await opened(local) })).text()

it('a span of JSON is shown with every field and number as it was sent', async () => {
  const attributes =
    '[{"key":"price","value":{"doubleValue":1.10}},{"key":"whole","value":{"doubleValue":5.0}},' +
    '{"key":"id","value":{"intValue":9007199254740993}},{"key":"same","value":{"intValue":"1"}},{"key":"same","value":{}}]'
  const sent = `{"spanId":"${SPAN}","traceId":"${TRACE}","kind":"SPAN_KIND_CLIENT","attributes":${attributes},"new":[-0.0]}`
  const request = `{"resourceSpans":[{"schemaUrl":"https://example.com","scopeSpans":[{"spans":[${sent}]}]}]}`
  await post(local, request, { 'content-type': 'application/json' })
  const text = await textOf(`${TRACE}/observations/${SPAN}/span`)
  expect(text).toContain(`"otlp":${request}`)
  expect(text).toContain('"attributes":{"price":1.10,"whole":5.0,"id":9007199254740993,"same":null}')
  expect(text).toContain('"kind":3,')
  expect(await textOf(`${TRACE}/export`)).toContain('"doubleValue": 1.10')
  expect(local.spans().find(({ traceId }) => traceId === TRACE)?.attributes).toEqual({
    price: 1.1,
    whole: 5,
    id: '9007199254740993',
    same: null,
  })
})

it('numbers of a span of another library are shown as they were sent in its metadata, parameters, input and output', async () => {
  const traceId = 'd'.repeat(32)
  const said = '{"price":2.50,"id":9007199254740993,"e":1e400}'
  const attributes = Object.entries({
    price: '{"doubleValue":2.50}',
    text: '{"doubleValue":"1.0"}',
    zero: '{"doubleValue":-0.0}',
    id: '{"intValue":"9007199254740993"}',
    none: '{"doubleValue":"NaN"}',
    'gen_ai.request.temperature': '{"doubleValue":1.0}',
    'gen_ai.request.seed': '{"intValue":9007199254740993}',
    'gen_ai.usage.cost': '{"doubleValue":0.10}',
    'user.id': '{"intValue":"9007199254740993"}',
    'input.value': JSON.stringify({ stringValue: said }),
    'output.value': '{"doubleValue":2.50}',
    // It is moved into the input.
    'gen_ai.tool.definitions': JSON.stringify({ stringValue: '[{"name":"find","parameters":{"maximum":1.0}}]' }),
  }).map(([key, value]) => `{"key":${JSON.stringify(key)},"value":${value}}`)
  const sent = `{"traceId":"${traceId}","spanId":"${SPAN}","name":"x","attributes":[${attributes}]}`
  const body = `{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"foreign"},"spans":[${sent}]}]}]}`
  await post(local, body, { 'content-type': 'application/json' })
  const text = await textOf(`${traceId}/observations/${SPAN}`)
  expect(text).toContain('"price":2.50,"text":1.0,"zero":-0.0,"id":9007199254740993,"none":"NaN"')
  expect(text).toContain('"modelParameters":{"temperature":1.0,"seed":9007199254740993}')
  expect(text).toContain(`"input":{${said.slice(1, -1)},"tools":[{"name":"find","parameters":{"maximum":1.0}}]}`)
  expect(text).toContain('"output":2.50')
  expect(text).toContain('"userId":"9007199254740993"')
  expect(text).toContain('"cost":0.1,')
})

it('what looks like a chat may have numbers for texts', async () => {
  const traceId = 'e'.repeat(32)
  const input = '[{"role":1.0,"parts":[{"type":1.0}],"content":1.0}]'
  const attributes = [{ key: 'svc.observation.input', value: { stringValue: input } }]
  await post(local, otlpJson([{ traceId, spanId: SPAN, attributes }]), { 'content-type': 'application/json' })
  const text = await textOf(`${traceId}/observations/${SPAN}`)
  expect(text).toContain(`"input":${input},"output":null,"chat":{"input":null,"output":null}`)
})

it('a span of protobuf is shown with the types that were sent', async () => {
  const [recorded] = record((start) => {
    const one = start('one', { part: 1.5, count: 3 })
    one.addEvent('happened', { at: 1.5 })
    one.addLink({ context: { traceId: TRACE, spanId: SPAN, traceFlags: 1 } })
    one.end()
  })
  if (!recorded) throw new Error('no span')
  // A whole double: the SDK of JavaScript would send an integer.
  const whole = Buffer.from(ENCODERS[0].encode([recorded]))
  const double = Buffer.alloc(8)
  double.writeDoubleLE(1.5)
  for (let at = whole.indexOf(double); at >= 0; at = whole.indexOf(double, at)) whole.writeDoubleLE(5, at)
  await post(local, whole)
  const { traceId, spanId } = recorded.spanContext()
  const { otlp, span } = JSON.parse(await textOf(`${traceId}/observations/${spanId}/span`))
  const [{ spans }] = otlp.resourceSpans[0].scopeSpans
  expect(spans[0].attributes).toEqual([
    { key: 'part', value: { doubleValue: 5 } },
    { key: 'count', value: { intValue: '3' } },
  ])
  expect(spans[0].links).toMatchObject([{ traceId: TRACE, flags: expect.any(Number) }])
  expect(span.attributes).toEqual({ part: 5, count: 3 })
  expect(JSON.parse(await textOf(traceId)).linked).toEqual([{ traceId: TRACE, spanId: SPAN }])
  const { resourceSpans } = JSON.parse(await textOf(`${traceId}/export`))
  expect(resourceSpans).toEqual(otlp.resourceSpans)
})

it('spans of one scope are exported together', async () => {
  const traceId = 'c'.repeat(32)
  const spans = ['1', '2'].map((digit) => ({ traceId, spanId: digit.repeat(16), name: digit }))
  const scope = { name: 'mine', attributes: [{ key: 'a', value: { stringValue: 'b' } }] }
  await post(local, otlpJson(spans, scope), { 'content-type': 'application/json' })
  const { resourceSpans } = JSON.parse(await textOf(`${traceId}/export`))
  expect(resourceSpans).toEqual([{ scopeSpans: [{ scope, spans }] }])
})

it('a file of before spans were kept as they came is read, as far as it says', () => {
  const store = new Store()
  const attributes = { a: 1, b: 1.5, list: ['x', null], map: { c: true } }
  const kept = span({ attributes, parentSpanId: SPAN, links: [{ traceId: TRACE, spanId: SPAN, attributes: {} }] })
  store.save([entry(kept)], 1)
  expect(store.spans().map((each) => receivedSpan(each))).toEqual([kept])
  expect(otlpOf(store.spans()[0] ?? '')).toMatchObject({
    resourceSpans: [{ scopeSpans: [{ spans: [{ parentSpanId: SPAN, name: 'a span' }] }] }],
  })
  store.close()
})
