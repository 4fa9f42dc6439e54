import { expect, it } from 'vitest'
import { ENCODERS, record } from '../../../test/support/sdk.ts'
import { EXPORT_TRACE_REQUEST } from './trace-schema.ts'
import { decodeMessage, WireError, type WireSchema } from './wire.ts'

const [{ encode }] = ENCODERS
const NESTED: WireSchema = { 1: { name: 'inner', type: () => NESTED }, 2: { name: 'text', type: 'string' } }

/** `levels` messages inside each other, built from the inside. */
function nested(levels: number): Buffer {
  const headers: Buffer[] = []
  let length = 0
  for (let level = 0; level < levels; level += 1) {
    headers.push(Buffer.concat([Buffer.from([0x0a]), varint(length)]))
    length += headers[level]?.length ?? 0
  }
  return Buffer.concat(headers.reverse())
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}

it('the protobuf reader reads the output of another encoder', () => {
  const spans = record((start) => start('hello', { text: 'ä', whole: -5, part: 1.5, yes: true, list: ['a', 1] }).end())
  const request = decodeMessage(encode(spans), EXPORT_TRACE_REQUEST)
  expect(request).toMatchObject({
    resourceSpans: [
      {
        scopeSpans: [
          {
            scope: { name: 'my-tracer', version: '1.2.3' },
            spans: [
              {
                traceId: spans[0]?.spanContext().traceId,
                spanId: spans[0]?.spanContext().spanId,
                name: 'hello',
                kind: 1,
                startTimeUnixNano: expect.stringMatching(/^\d{19}$/),
                attributes: [
                  { key: 'text', value: { stringValue: 'ä' } },
                  { key: 'whole', value: { intValue: '-5' } },
                  { key: 'part', value: { doubleValue: 1.5 } },
                  { key: 'yes', value: { boolValue: true } },
                  { key: 'list', value: { arrayValue: { values: [{ stringValue: 'a' }, { intValue: '1' }] } } },
                ],
              },
            ],
          },
        ],
      },
    ],
  })
})

it('the protobuf reader refuses a message that is truncated inside a field', () => {
  const whole = encode(record((start) => start('hello', { text: 'something' }).end()))
  expect(decodeMessage(whole, EXPORT_TRACE_REQUEST)).toHaveProperty('resourceSpans')
  for (let length = 1; length < whole.length; length += 1) {
    expect(() => decodeMessage(whole.subarray(0, length), EXPORT_TRACE_REQUEST), `${length} bytes`).toThrow(WireError)
  }
})

it('the protobuf reader skips unknown fields of every wire type, and known ones of another wire type', () => {
  const unknown = [
    [0x78, 0xff, 0x01], // 15: varint
    [0x79, 1, 2, 3, 4, 5, 6, 7, 8], // 15: 64 bits
    [0x7a, 2, 1, 2], // 15: two bytes
    [0x7d, 1, 2, 3, 4], // 15: 32 bits
    [0x10, 5], // 2, which is a string, as a varint
  ].flat()
  expect(decodeMessage(Buffer.from([...unknown, 0x12, 1, 0x61]), NESTED)).toEqual({ text: 'a' })
})

it.each([
  ['a group', [0x0b]],
  ['field number 0', [0x02, 0]],
  ['a length beyond the end', [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]],
  ['a length of more than 53 bits', [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
  ['a varint without an end', [0x78, ...Array(11).fill(0x80)]],
])('the protobuf reader refuses %s', (_, bytes) => {
  expect(() => decodeMessage(Buffer.from(bytes), NESTED)).toThrow(WireError)
})

it('the protobuf reader reads 200 levels and refuses 20,000 without a stack overflow', () => {
  expect(decodeMessage(nested(200), NESTED)).toHaveProperty('inner.inner.inner')
  expect(() => decodeMessage(nested(20_000), NESTED)).toThrow('nested deeper than 256 messages')
})

it('the protobuf reader returns integers as strings, as OTLP JSON has them', () => {
  const schema: WireSchema = { 1: { name: 'value', type: 'int64' } }
  const largest = [0x08, ...Array(8).fill(0xff), 0x7f]
  expect(decodeMessage(Buffer.from(largest), schema)).toEqual({ value: '9223372036854775807' })
})
