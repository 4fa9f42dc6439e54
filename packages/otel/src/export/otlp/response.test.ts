import { describe, expect, it } from 'vitest'
import { responseOf } from '../../../test/support/responses.ts'
import { PROTOBUF as ENCODING } from '../protobuf.ts'
import { type OtlpResponse, readResponse } from './response.ts'
import { ProtobufWriter } from './writer.ts'

const JSON_TYPE = 'application/json'
const PROTOBUF = 'application/x-protobuf'

/** An `ExportTraceServiceResponse` in protobuf. */
function protobuf(write: (writer: ProtobufWriter) => void): Uint8Array {
  const writer = new ProtobufWriter()
  write(writer)
  return writer.view().slice()
}

const partial = (rejected: number, message: string) =>
  protobuf((writer) => {
    const start = writer.open(1)
    writer.unsigned(1, rejected)
    if (message) writer.string(2, message)
    writer.close(start)
  })

const read = (body: string | Uint8Array, type?: string, complete = true) =>
  readResponse(responseOf(200, body, type === undefined ? {} : { 'content-type': type }, complete), ENCODING)

describe('a response of an OTLP endpoint is read:', () => {
  it.each<[what: string, body: string | Uint8Array, type: string | undefined, expected: OtlpResponse]>([
    ['nothing', '', undefined, { rejected: 0, message: '' }],
    ['nothing, as protobuf', '', PROTOBUF, { rejected: 0, message: '' }],
    ['nothing, as a page', '', 'text/html', { rejected: 0, message: '' }],
    ['an empty object', '{}', JSON_TYPE, { rejected: 0, message: '' }],
    ['JSON of no type', '{}', undefined, { rejected: 0, message: '' }],
    ['JSON with a charset', '{}', 'application/json; charset=utf-8', { rejected: 0, message: '' }],
    ['JSON in capitals', '{}', 'Application/JSON', { rejected: 0, message: '' }],
    ['a partial success of null', '{"partialSuccess":null}', JSON_TYPE, { rejected: 0, message: '' }],
    ['an empty partial success', '{"partialSuccess":{}}', JSON_TYPE, { rejected: 0, message: '' }],
    [
      'a partial success',
      '{"partialSuccess":{"rejectedSpans":3,"errorMessage":"too old"}}',
      JSON_TYPE,
      { rejected: 3, message: 'too old' },
    ],
    [
      'a partial success with the number as a text, as protobuf writes 64 bits in JSON',
      '{"partialSuccess":{"rejectedSpans":"3"}}',
      JSON_TYPE,
      { rejected: 3, message: '' },
    ],
    [
      'a warning',
      '{"partialSuccess":{"rejectedSpans":0,"errorMessage":"slow down"}}',
      JSON_TYPE,
      { rejected: 0, message: 'slow down' },
    ],
    ['a partial success in protobuf', partial(5, 'too old'), PROTOBUF, { rejected: 5, message: 'too old' }],
    ['a warning in protobuf', partial(0, 'slow down'), PROTOBUF, { rejected: 0, message: 'slow down' }],
    ['the other name of protobuf', partial(5, ''), 'application/protobuf', { rejected: 5, message: '' }],
    [
      'protobuf with fields from the future',
      protobuf((writer) => {
        writer.string(7, 'hello')
        writer.raw(partial(2, 'no'))
      }),
      PROTOBUF,
      { rejected: 2, message: 'no' },
    ],
    ['what the service says', '{"success":true,"ids":[1,2]}', JSON_TYPE, { rejected: 0, message: '' }],
    ['a list', '[]', JSON_TYPE, { rejected: 0, message: '' }],
    ['a number below zero', '{"partialSuccess":{"rejectedSpans":-5}}', JSON_TYPE, { rejected: 0, message: '' }],
    ['a number that is none', '{"partialSuccess":{"rejectedSpans":"many"}}', JSON_TYPE, { rejected: 0, message: '' }],
  ])('%s', (_, body, type, expected) => {
    expect(read(body, type)).toEqual(expected)
  })
})

describe('a response of another server', () => {
  it.each<[what: string, body: string | Uint8Array, type: string | undefined]>([
    ['a login page', '<html>Sign in</html>', 'text/html; charset=utf-8'],
    ['a proxy that says OK', 'OK', 'text/plain'],
    ['a text of no type', 'OK', undefined],
    ['a page that calls itself JSON', '<html>Sign in</html>', JSON_TYPE],
    ['a page that calls itself protobuf', '<html>Sign in</html>', PROTOBUF],
    ['half of some JSON', '{"partialSuccess":{"reje', JSON_TYPE],
    ['half of some protobuf', partial(5, 'too old').subarray(0, 9), PROTOBUF],
    ['a text in JSON', '"OK"', JSON_TYPE],
    ['a number in JSON', '200', JSON_TYPE],
    ['null', 'null', JSON_TYPE],
    ['JSON that calls itself a page', '{}', 'text/html'],
    ['a type that only sounds like it', '{}', 'application/jsonish'],
  ])('is not an OTLP response: %s', (_, body, type) => {
    expect(read(body, type)).toBeUndefined()
  })

  it.each([
    ['nothing', ''],
    ['what would be whole', '{}'],
  ])('is not an OTLP response if it breaks off: %s', (_, body) => {
    expect(read(body, JSON_TYPE, false)).toBeUndefined()
  })
})
