import type { Bytes } from '@svc/core/bytes'

/** Protobuf's ways to store a field (encoding.dev/protobuf, "wire types"). */
const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5

const INITIAL = 64 * 1024
// A buffer that one huge batch made this large is not kept for the next.
const KEPT = 4 * 1024 * 1024
// Room for the length of a message: 4 bytes reach 256 MiB.
const LENGTH = 4
// Room for a tag and the longest varint behind it.
const ROOM = 16

const utf8 = new TextEncoder()

/**
 * Writes protobuf front to back in one pass: the length of a message is left open and filled in at its end, in a fixed
 * width. A varint that is longer than it needs to be is legal, and saves measuring everything first.
 */
export class ProtobufWriter {
  #bytes: Bytes
  #view: DataView
  #buffer: Buffer | undefined
  #at = 0

  /** @param buffer where it begins to write, or the size of that; it grows as far as it must */
  constructor(buffer: ArrayBuffer | number = INITIAL) {
    this.#bytes = typeof buffer === 'number' ? new Uint8Array(buffer) : new Uint8Array(buffer)
    this.#view = new DataView(this.#bytes.buffer)
    this.#buffer = globalThis.Buffer?.from(this.#bytes.buffer)
  }

  /** Clears the written bytes. A buffer that has become far too large is not kept. */
  reset(): void {
    const isTooLarge = this.#bytes.length > KEPT || this.#at < this.#bytes.length / 16
    this.#at = 0
    if (isTooLarge && this.#bytes.length > INITIAL)
      this.#resize(Math.max(INITIAL, Math.min(KEPT, this.#bytes.length / 2)))
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#at
  }

  /** Truncates the written bytes to `length`. */
  cut(length: number): void {
    this.#at = length
  }

  /** Returns a range of the written bytes, not copied: valid until the next write. */
  view(from = 0, to: number = this.#at): Bytes {
    return this.#bytes.subarray(from, to)
  }

  /** Opens a message in `field`; to be closed with the returned position. */
  open(field: number): number {
    this.#begin(field, BYTES)
    this.#at += LENGTH
    return this.#at
  }

  close(start: number): void {
    const length = this.#at - start
    if (length >= 2 ** (7 * LENGTH)) throw new RangeError('a message is longer than 256 MiB')
    const bytes = this.#bytes
    bytes[start - 4] = (length & 127) | 128
    bytes[start - 3] = ((length >>> 7) & 127) | 128
    bytes[start - 2] = ((length >>> 14) & 127) | 128
    bytes[start - 1] = length >>> 21
  }

  /** Writes a string. Other values, which JavaScript allows as names, are converted. */
  string(field: number, value: unknown): void {
    const text = typeof value === 'string' ? value : String(value ?? '')
    this.#begin(field, BYTES, text.length * 3)
    this.#utf8(text)
  }

  bytes(field: number, value: Uint8Array): void {
    this.#begin(field, BYTES)
    this.#varint(value.length)
    this.raw(value)
  }

  /** Fields that are written already. @returns where they end */
  raw(fields: Uint8Array): number {
    if (this.#at + fields.length > this.#bytes.length) this.#grow(fields.length)
    this.#bytes.set(fields, this.#at)
    this.#at += fields.length
    return this.#at
  }

  /** Hexadecimal digits as bytes: an id. */
  hex(field: number, digits: string): void {
    const length = digits.length >> 1
    this.#begin(field, BYTES, length)
    if (length < 128) this.#bytes[this.#at++] = length
    else this.#varint(length)
    const start = this.#at
    this.#at = start + length
    // V8 would spend milliseconds on optimizing the loop. Node writes up to what is no digit.
    if ((this.#buffer?.write(digits, start, 'hex') ?? 0) < length) this.#hex(digits, start)
  }

  #hex(digits: string, start: number): void {
    const bytes = this.#bytes
    for (let at = 0; at < digits.length >> 1; at++) {
      const high = digits.charCodeAt(2 * at)
      const low = digits.charCodeAt(2 * at + 1)
      // The lower half of a digit's code is its value; that of a letter lacks 9, and only letters have the bit of 64.
      bytes[start + at] = (((high & 15) + 9 * (high >> 6)) << 4) | ((low & 15) + 9 * (low >> 6))
    }
  }

  /** A whole number from 0 up to 2^53. */
  unsigned(field: number, value: number): void {
    this.#begin(field, VARINT)
    if (value < 128) this.#bytes[this.#at++] = value
    else this.#varint(value)
  }

  /** A whole number of 64 bits, which takes ten bytes when it is negative. */
  signed(field: number, value: number): void {
    this.#begin(field, VARINT)
    let rest = BigInt.asUintN(64, BigInt(value))
    for (; rest > 127n; rest >>= 7n) this.#bytes[this.#at++] = Number(rest & 127n) | 128
    this.#bytes[this.#at++] = Number(rest)
  }

  double(field: number, value: number): void {
    this.#begin(field, FIXED64)
    this.#view.setFloat64(this.#at, value, true)
    this.#at += 8
  }

  fixed32(field: number, value: number): void {
    this.#begin(field, FIXED32)
    this.#view.setUint32(this.#at, value, true)
    this.#at += 4
  }

  /** Seconds and nanoseconds as nanoseconds, in 64 bits: exact without the price of a BigInt. */
  nanoseconds(field: number, time: readonly [number, number]): void {
    const seconds = time[0]
    const nanoseconds = time[1]
    const upper = Math.floor(seconds / 65_536) * 1e9
    const lower = (upper % 65_536) * 65_536 + (seconds % 65_536) * 1e9 + nanoseconds
    this.#begin(field, FIXED64)
    this.#view.setUint32(this.#at, lower % 2 ** 32, true)
    this.#view.setUint32(this.#at + 4, Math.floor(upper / 65_536) + Math.floor(lower / 2 ** 32), true)
    this.#at += 8
  }

  #utf8(text: string): void {
    const width = widthOf(text.length * 3)
    const start = this.#at + width
    // Node's Buffer is several times faster for text in other European languages.
    const written = this.#buffer?.write(text, start) ?? utf8.encodeInto(text, this.#bytes.subarray(start)).written
    let rest = written
    for (; this.#at < start - 1; rest >>>= 7) this.#bytes[this.#at++] = (rest & 127) | 128
    this.#bytes[this.#at] = rest
    this.#at = start + written
  }

  /** Writes the tag of a field; makes room for it, a number, and `more` bytes. */
  #begin(field: number, wireType: number, more = 0): void {
    if (this.#at + more + ROOM > this.#bytes.length) this.#grow(more + ROOM)
    const tag = (field << 3) | wireType
    // Nearly all: the loops below would be compiled into each method that calls this.
    if (tag < 128) this.#bytes[this.#at++] = tag
    else this.#varint(tag)
  }

  #varint(value: number): void {
    let rest = value
    // Beyond 31 bits, shifting would change the number.
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 128)) this.#bytes[this.#at++] = (rest % 128) | 128
    for (; rest > 127; rest >>>= 7) this.#bytes[this.#at++] = (rest & 127) | 128
    this.#bytes[this.#at++] = rest
  }

  #grow(more: number): void {
    this.#resize(Math.max(this.#bytes.length * 2, this.#at + more))
  }

  #resize(size: number): void {
    const bytes = new Uint8Array(size)
    bytes.set(this.#bytes.subarray(0, this.#at))
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer)
    this.#buffer = globalThis.Buffer?.from(bytes.buffer)
  }
}

/** Bytes that a length up to `longest` needs. */
function widthOf(longest: number): number {
  if (longest < 2 ** 7) return 1
  if (longest < 2 ** 14) return 2
  if (longest < 2 ** 21) return 3
  return longest < 2 ** 28 ? 4 : 5
}
