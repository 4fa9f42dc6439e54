import { exactNumber } from '../../exact-json.ts'

/**
 * A small protobuf reader: a message and its schema in, a plain object in the shape of OTLP/JSON out.
 * Unknown fields and fields of another wire type are skipped; nesting is bounded; every length is checked.
 */
export type Scalar = 'string' | 'hex' | 'base64' | 'bool' | 'int64' | 'uint32' | 'double' | 'fixed64' | 'fixed32'

export interface WireField {
  /** Name in OTLP/JSON. */
  readonly name: string
  /** A scalar, or the schema of a nested message (a function, because messages nest in themselves). */
  readonly type: Scalar | (() => WireSchema)
  readonly repeated?: true
}

/** Field number → field. */
export type WireSchema = Readonly<Record<number, WireField>>

/** The bytes are not a message of the expected type. */
export class WireError extends Error {
  override readonly name = 'WireError'
}

// Two levels of messages make one level of an attribute value; the value limit (values.ts) is reached first.
const MAX_DEPTH = 256

/**
 * Most objects of one request, whatever its encoding: 512 spans with 128 attributes each have a third of it. Without a
 * limit, a few kilobytes of gzip become millions of empty objects.
 */
export const MAX_OBJECTS = 400_000
/** Most values of one request, those that are skipped included. */
export const MAX_FIELDS = 1_000_000

const VARINT = 0
const FIXED64 = 1
const LENGTH = 2
const FIXED32 = 5

const SCALARS: Readonly<Record<Scalar, { wire: number; read: (cursor: Cursor) => unknown }>> = {
  string: { wire: LENGTH, read: (cursor) => cursor.buffer().toString('utf8') },
  hex: { wire: LENGTH, read: (cursor) => cursor.buffer().toString('hex') },
  base64: { wire: LENGTH, read: (cursor) => cursor.buffer().toString('base64') },
  bool: { wire: VARINT, read: (cursor) => cursor.varint() !== 0n },
  int64: { wire: VARINT, read: (cursor) => BigInt.asIntN(64, cursor.varint()).toString() },
  uint32: { wire: VARINT, read: (cursor) => Number(BigInt.asUintN(32, cursor.varint())) },
  double: { wire: FIXED64, read: (cursor) => double(cursor.take(8).readDoubleLE()) },
  fixed64: { wire: FIXED64, read: (cursor) => cursor.take(8).readBigUInt64LE().toString() },
  fixed32: { wire: FIXED32, read: (cursor) => cursor.take(4).readUInt32LE() },
}

/**
 * Decodes `bytes` as the message that `schema` describes.
 *
 * @throws WireError when the bytes are truncated, malformed or nested too deep.
 */
export function decodeMessage(bytes: Uint8Array, schema: WireSchema): Record<string, unknown> {
  return message(new Cursor(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)), schema, 0, {
    objects: MAX_OBJECTS,
    fields: MAX_FIELDS,
  })
}

/** Counts of what may still come. */
interface Budget {
  objects: number
  fields: number
}

function message(cursor: Cursor, schema: WireSchema, depth: number, budget: Budget): Record<string, unknown> {
  budget.objects -= 1
  if (budget.objects < 0) throw new WireError(`more than ${MAX_OBJECTS} messages`)
  if (depth > MAX_DEPTH) throw new WireError(`nested deeper than ${MAX_DEPTH} messages`)
  const decoded: Record<string, unknown> = {}
  while (!cursor.done) {
    budget.fields -= 1
    if (budget.fields < 0) throw new WireError(`more than ${MAX_FIELDS} fields`)
    const tag = cursor.size()
    const wire = tag % 8
    const number = Math.floor(tag / 8)
    if (number === 0 || number > 0x1fffffff) throw new WireError(`field number ${number} at byte ${cursor.at}`)
    const field = schema[number]
    const scalar = typeof field?.type === 'string' ? SCALARS[field.type] : undefined
    if (!field || wire !== (scalar?.wire ?? LENGTH)) {
      cursor.skip(wire)
      continue
    }
    const value =
      typeof field.type === 'string' ? scalar?.read(cursor) : message(cursor.part(), field.type(), depth + 1, budget)
    put(decoded, field, value)
  }
  return decoded
}

function put(decoded: Record<string, unknown>, field: WireField, value: unknown): void {
  if (!field.repeated) {
    decoded[field.name] = value
    return
  }
  const list = decoded[field.name]
  if (Array.isArray(list)) list.push(value)
  else decoded[field.name] = [value]
}

/** JSON has no NaN and no infinity: protobuf's own JSON writes them as text. A negative zero would lose its sign. */
function double(value: number): unknown {
  if (Object.is(value, -0)) return exactNumber('-0')
  return Number.isFinite(value) ? value : String(value)
}

export class Cursor {
  readonly #bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get done(): boolean {
    return this.at >= this.#bytes.length
  }

  take(length: number): Buffer {
    const end = this.at + length
    if (end > this.#bytes.length) {
      throw new WireError(
        `truncated: ${length} bytes expected at byte ${this.at}, ${this.#bytes.length - this.at} left`,
      )
    }
    const taken = this.#bytes.subarray(this.at, end)
    this.at = end
    return taken
  }

  buffer(): Buffer {
    return this.take(this.size())
  }

  part(): Cursor {
    return new Cursor(this.buffer())
  }

  /** A varint that is a tag or a length: plain numbers are enough, and quicker. */
  size(): number {
    let value = 0
    for (let factor = 1; factor < 2 ** 53; factor *= 128) {
      const byte = this.#byte()
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
    throw new WireError(`a length of more than 53 bits at byte ${this.at}`)
  }

  varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new WireError(`a varint of more than 10 bytes at byte ${this.at}`)
  }

  skip(wire: number): void {
    if (wire === VARINT) this.varint()
    else if (wire === FIXED64) this.take(8)
    else if (wire === LENGTH) this.buffer()
    else if (wire === FIXED32) this.take(4)
    else throw new WireError(`wire type ${wire} at byte ${this.at}`)
  }

  #byte(): number {
    const byte = this.#bytes[this.at]
    if (byte === undefined) throw new WireError(`truncated at byte ${this.at}`)
    this.at += 1
    return byte
  }
}
