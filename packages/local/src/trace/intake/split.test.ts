import { expect, it } from 'vitest'
import { ENCODERS, record } from '../../../test/support/sdk.ts'
import { spansOf } from './spans.ts'
import { splitJson, splitMessage } from './split.ts'
import { EXPORT_TRACE_REQUEST } from './trace-schema.ts'
import { decodeMessage } from './wire.ts'

const ids = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const text = (name: string) => `{"name":${JSON.stringify(name)},"traceId":"${ids.traceId}","spanId":"${ids.spanId}"}`

const spans = record((start) => {
  for (const name of ['first', 'second', 'x'.repeat(20_000)]) {
    const span = start(name, { 'a "quoted" key': '}],{[', list: ['\\', '"', '\\"'] })
    span.addEvent('happened', { at: 1.5 })
    span.end()
  }
})
const [protobuf, json] = ENCODERS.map(({ encode }) => encode(spans))

it('each span of a request of JSON or protobuf is kept as a request of its own', () => {
  const whole = spansOf(JSON.parse(String(json)))
  expect(whole.length).toBe(3)
  expect(splitJson(String(json)).flatMap((each) => spansOf(JSON.parse(each)))).toEqual(whole)
  expect(
    splitJson(JSON.stringify(JSON.parse(String(json)), null, '\t')).flatMap((each) => spansOf(JSON.parse(each))),
  ).toEqual(whole)
  const parts = splitMessage(protobuf ?? Buffer.alloc(0))
  expect(parts.flatMap((each) => spansOf(decodeMessage(each, EXPORT_TRACE_REQUEST)))).toEqual(whole)
})

it('the parts of a request of one span are the request', () => {
  const sent = Buffer.from(ENCODERS[0].encode(record((start) => start('one', { whole: 5 }).end())))
  expect(splitMessage(sent)).toEqual([sent])
  const unusual = `{"resourceSpans":[{"schemaUrl":"s","resource":{"x":1.10},"scopeSpans":[{"spans":[{"e":-1.0e+400,"b":[true,null]}]}]}]}`
  expect(splitJson(unusual)).toEqual([unusual])
})

it.each([
  ['nothing', '{}', []],
  ['null', ' null ', []],
  ['lists that are null', '{"resourceSpans":[{"scopeSpans":null},{"scopeSpans":[{"spans":null}, null]},null]}', []],
  [
    'members in any order and twice',
    `{"resourceSpans":[],"a":{"spans":[1]},"resourceSpans":[{"scopeSpans":[{"spans":[${text('no')}],"scope":{"name":"s"},"spans" : [ ${text('a')} ,${text('b')}]}],"resource":{}}]}`,
    ['a', 'b'],
  ],
  ['an escaped key', `{"resourceSp\\u0061ns":[{"scopeSpans":[{"sp\\u0061ns":[${text('a')}]}]}]}`, ['a']],
  [
    'a key __proto__',
    `{"resourceSpans":[{"__proto__":{"scopeSpans":[]},"scopeSpans":[{"spans":[${text('a')}]}]}]}`,
    ['a'],
  ],
])('as many parts as spans are found in %s', (_, body, names) => {
  const read = spansOf(JSON.parse(body)).map(({ name }) => name)
  expect(read).toEqual(names)
  expect(
    splitJson(body)
      .flatMap((each) => spansOf(JSON.parse(each)))
      .map(({ name }) => name),
  ).toEqual(names)
})
