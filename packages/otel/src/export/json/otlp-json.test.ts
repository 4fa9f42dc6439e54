import { expect, it } from 'vitest'
import type { ReadableSpan } from '../../sdk.ts'
import { spanJson } from './otlp-json.ts'

const span = (attributes: Record<string, unknown>): ReadableSpan =>
  ({
    name: 'work',
    kind: 2,
    spanContext: () => ({ traceId: 't', spanId: 's', traceFlags: 1 }),
    parentSpanContext: { traceId: 't', spanId: 'p', traceFlags: 1, isRemote: true },
    startTime: [1_700_000_000, 5],
    endTime: [1_700_000_001, 0],
    attributes,
    events: [{ name: 'first', time: [1, 0], attributes: { a: 1 } }],
    links: [{ context: { traceId: 'x', spanId: 'y', traceFlags: 0 } }, { context: {} }],
    status: { code: 2, message: 'no' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }) as unknown as ReadableSpan

it('an edge span is encoded as OTLP JSON', () => {
  expect(JSON.parse(spanJson(span({})))).toEqual({
    traceId: 't',
    spanId: 's',
    parentSpanId: 'p',
    flags: 0x301,
    name: 'work',
    kind: 3,
    startTimeUnixNano: '1700000000000000005',
    endTimeUnixNano: '1700000001000000000',
    attributes: [],
    droppedAttributesCount: 0,
    events: [{ name: 'first', timeUnixNano: '1000000000', attributes: [{ key: 'a', value: { intValue: '1' } }] }],
    droppedEventsCount: 0,
    links: [{ traceId: 'x', spanId: 'y', flags: 0x100, attributes: [] }],
    droppedLinksCount: 0,
    status: { code: 2, message: 'no' },
  })
})

const endless: Record<string, unknown> = {}
endless.self = endless

it.each([
  ['a', { stringValue: 'a' }],
  [true, { boolValue: true }],
  [3, { intValue: '3' }],
  [1.5, { doubleValue: 1.5 }],
  [Number.NaN, { doubleValue: 'NaN' }],
  [['a', null, 1], { arrayValue: { values: [{ stringValue: 'a' }, {}, { intValue: '1' }] } }],
  [{ a: 1 }, { stringValue: '{"a":1}' }],
  [endless, { stringValue: '<failed to serialize>' }],
])('an attribute value is encoded as OTLP JSON: %j', (value, expected) => {
  expect(JSON.parse(spanJson(span({ key: value, gone: undefined }))).attributes).toEqual([
    { key: 'key', value: expected },
  ])
})
