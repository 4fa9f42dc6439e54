export interface ProtobufField {
  readonly number: number
  /** All of it, tag included. */
  readonly bytes: Uint8Array
  /** Its content; empty unless the field is length-delimited (a message or a string). */
  readonly content: Uint8Array
  /** The value of a varint; 0 for other fields. */
  readonly value: number
}

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5

/** The fields of a message, in their order. @throws {RangeError} at bytes that are no message */
export function* fieldsOf(message: Uint8Array): Generator<ProtobufField> {
  let at = 0
  function varint(): number {
    let value = 0
    for (let factor = 1; factor < 2 ** 70; factor *= 128) {
      const byte = message[at++]
      if (byte === undefined) break
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
    throw new RangeError('a message breaks off')
  }
  function lengthOf(wireType: number): number {
    if (wireType === BYTES) return varint()
    if (wireType === FIXED64) return 8
    if (wireType === FIXED32) return 4
    throw new RangeError(`wire type ${wireType} is none`)
  }
  while (at < message.length) {
    const start = at
    const tag = varint()
    const isVarint = (tag & 7) === VARINT
    const value = isVarint ? varint() : 0
    const length = isVarint ? 0 : lengthOf(tag & 7)
    const content = message.subarray(at, at + length)
    if (content.length < length) throw new RangeError('a message breaks off')
    at += length
    yield { number: Math.floor(tag / 8), bytes: message.subarray(start, at), content, value }
  }
}
