import { describe, expect, it } from 'vitest'
import { ENCODERS, otlpJson, record } from '../../../test/support/sdk.ts'
import { ShapeError } from './shape.ts'
import { spansOf } from './spans.ts'
import { EXPORT_TRACE_REQUEST } from './trace-schema.ts'
import { decodeMessage } from './wire.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN_ID = '00f067aa0ba902b7'
const ids = { traceId: TRACE_ID, spanId: SPAN_ID }
const read = (...spans: object[]) => spansOf(JSON.parse(otlpJson(spans)))

it('protobuf and JSON of the same spans are read equally', () => {
  const spans = record((start) => {
    const root = start('root', { list: [1, 'two', true], nested: { a: [{ b: 1.5 }] } as never })
    const child = start('child', { 'gen_ai.operation.name': 'chat' }, root)
    child.addEvent('happened', { at: 'once' })
    child.setStatus({ code: 2, message: 'broken' })
    child.addLink({ context: root.spanContext(), attributes: { why: 'because' } })
    child.end()
    root.end()
  })
  const [protobuf, json] = ENCODERS.map(({ encode }) => encode(spans))
  const received = spansOf(decodeMessage(protobuf ?? Buffer.alloc(0), EXPORT_TRACE_REQUEST))
  expect(received).toEqual(spansOf(JSON.parse(String(json))))
  expect(received).toMatchObject([
    {
      name: 'child',
      parentSpanId: spans[1]?.spanContext().spanId,
      status: { code: 2, message: 'broken' },
      events: [{ name: 'happened', attributes: { at: 'once' } }],
      links: [{ spanId: spans[1]?.spanContext().spanId, attributes: { why: 'because' } }],
    },
    { name: 'root', parentSpanId: null, attributes: { list: [1, 'two', true], nested: { a: [{ b: 1.5 }] } } },
  ])
})

it.each([
  ['capital hex', TRACE_ID.toUpperCase(), SPAN_ID.toUpperCase()],
  ['base64', Buffer.from(TRACE_ID, 'hex').toString('base64'), Buffer.from(SPAN_ID, 'hex').toString('base64')],
  ['lists of bytes', [...Buffer.from(TRACE_ID, 'hex')], [...Buffer.from(SPAN_ID, 'hex')]],
  ['serialised buffers', Buffer.from(TRACE_ID, 'hex').toJSON(), Buffer.from(SPAN_ID, 'hex').toJSON()],
])('span ids in OTLP JSON may be %s', (_, traceId, spanId) => {
  expect(read({ traceId, spanId, parentSpanId: spanId })).toMatchObject([{ ...ids, parentSpanId: SPAN_ID }])
})

describe('a batch is refused if one span is invalid:', () => {
  it.each([
    ['no trace id', { spanId: SPAN_ID }, 'no usable traceId'],
    ['a trace id of zeros', { ...ids, traceId: '0'.repeat(32) }, 'no usable traceId'],
    ['a short span id', { ...ids, spanId: 'abc' }, 'no usable spanId'],
    ['a number as span id', { ...ids, spanId: 7 }, 'no usable spanId'],
    ['attributes that are no list', { ...ids, attributes: { a: 1 } }, 'attributes of span "bad" is not an array'],
    ['events that are no list', { ...ids, events: 'none' }, 'events of span "bad" is not an array'],
    ['a span that is text', 'a span', 'a span is not an object'],
  ])('%s', (_, bad, message) => {
    const span = typeof bad === 'string' ? bad : { name: 'bad', ...bad }
    expect(() => spansOf({ resourceSpans: [{ scopeSpans: [{ spans: [ids, span] }] }] })).toThrow(message)
  })

  it.each([
    ['resourceSpans', { resourceSpans: {} }],
    ['scopeSpans', { resourceSpans: [{ scopeSpans: 'x' }] }],
    ['spans', { resourceSpans: [{ scopeSpans: [{ spans: 1 }] }] }],
  ])('%s that is not a list', (name, request) => {
    expect(() => spansOf(request)).toThrow(new ShapeError(`${name} is not an array`))
  })
})

it('an empty OTLP request has no spans', () => {
  expect([{}, { resourceSpans: [] }, { resourceSpans: null }].map(spansOf)).toEqual([[], [], []])
})

it('numbers in OTLP JSON may be strings, and have their text', () => {
  const attributes = [
    { key: 'small', value: { intValue: '42' } },
    { key: 'large', value: { intValue: '9223372036854775807' } },
    { key: 'halves', value: { intValue: { low: -2, high: -1 } } },
    { key: 'double', value: { doubleValue: '2.50' } },
    { key: 'none', value: { doubleValue: 'NaN' } },
  ]
  const [span] = read({ ...ids, startTimeUnixNano: '1700000000123456789', endTimeUnixNano: 1.7e18, attributes })
  expect(span).toMatchObject({
    startTimeUnixNano: '1700000000123456789',
    endTimeUnixNano: '1700000000000000000',
    attributes: { small: 42, halves: -2, none: 'NaN' },
  })
  const text = '{"small":42,"large":9223372036854775807,"halves":-2,"double":2.50,"none":"NaN"}'
  expect(JSON.stringify(span?.attributes)).toBe(text)
})

it('an attribute named __proto__ is an ordinary key', () => {
  const [span] = read({ ...ids, attributes: [{ key: '__proto__', value: { stringValue: 'x' } }] })
  expect(Object.entries(span?.attributes ?? {})).toEqual([['__proto__', 'x']])
})

it('an attribute value of 100 levels is read, and one of 20,000 is refused without a stack overflow', () => {
  const value = (levels: number) => {
    let inner: object = { stringValue: 'deep' }
    for (let level = 0; level < levels; level += 1) inner = { arrayValue: { values: [inner] } }
    return { ...ids, attributes: [{ key: 'deep', value: inner }] }
  }
  const request = (levels: number) => ({ resourceSpans: [{ scopeSpans: [{ spans: [value(levels)] }] }] })
  expect(JSON.stringify(spansOf(request(100))[0]?.attributes)).toContain('deep')
  expect(() => spansOf(request(20_000))).toThrow('nested deeper than 100 levels')
})
