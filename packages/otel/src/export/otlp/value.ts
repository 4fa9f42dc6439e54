import { ProtobufWriter } from './writer.ts'

/** Field numbers of `opentelemetry/proto/common/v1/common.proto`. */
const ANY = { STRING: 1, BOOL: 2, INT: 3, DOUBLE: 4, ARRAY: 5, KVLIST: 6, BYTES: 7 } as const
const KEY_VALUE = { KEY: 1, VALUE: 2 } as const
const VALUES = 1

// Receivers count nested messages and refuse a whole batch beyond 100; one level of a value takes three.
const DEEPEST = 30

/** Most keys of which bytes are kept, and the longest of them. The others are written each time. */
const KEYS = 1_000
const LONGEST_KEY = 100
/** Most texts of a key of which bytes are kept, and the longest of them. */
const TEXTS = 4
const LONGEST_TEXT = 64

/** What comes before the key: a tag of one byte, and the length of the pair. */
const OPENED = 5

/** Writes attributes as `KeyValue` messages; those without a value are left out. */
export type WriteAttributes = (writer: ProtobufWriter, attributes: Readonly<Record<string, unknown>>) => void

/** The bytes of pairs with one key: spans have the same few keys, and many have the same text in every span. */
interface KeptPairs {
  /** The beginning of all pairs, up to the length of the value. */
  readonly head: Uint8Array
  /** Whole pairs, by their texts. */
  readonly pairs: Map<string, Uint8Array>
}

/** @param field of the message that has the attributes; below 16 */
export function attributesWriter(field: number): WriteAttributes {
  const kept = new Map<string, KeptPairs>()

  function pairsOf(key: string): KeptPairs {
    const writer = new ProtobufWriter(key.length * 3 + 64)
    writer.open(field)
    writer.string(KEY_VALUE.KEY, key)
    writer.open(KEY_VALUE.VALUE)
    const fresh = { head: writer.view().slice(), pairs: new Map() }
    if (kept.size < KEYS && key.length <= LONGEST_KEY) kept.set(key, fresh)
    return fresh
  }

  return (writer, attributes) => {
    const keys = Object.keys(attributes)
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] as string
      const value = attributes[key]
      if (value === undefined || value === null) continue
      const { head, pairs } = kept.get(key) ?? pairsOf(key)
      const isShort = typeof value === 'string' && value.length <= LONGEST_TEXT
      const pair = isShort ? pairs.get(value) : undefined
      if (pair) {
        writer.raw(pair)
        continue
      }
      const any = writer.raw(head)
      const start = any - head.length
      if (typeof value === 'string') writer.string(ANY.STRING, value)
      else writeValue(writer, value, 0)
      writer.close(any)
      writer.close(start + OPENED)
      if (isShort && pairs.size < TEXTS) pairs.set(apart(value), writer.view(start).slice())
    }
  }
}

/** The same text: one that was cut from a longer one would keep all of that. V8 joins and cuts anew. */
function apart(text: string): string {
  return ` ${text}`.slice(1)
}

function writePair(writer: ProtobufWriter, field: number, key: string, value: unknown, depth: number): void {
  const pair = writer.open(field)
  writer.string(KEY_VALUE.KEY, key)
  const any = writer.open(KEY_VALUE.VALUE)
  writeValue(writer, value, depth)
  writer.close(any)
  writer.close(pair)
}

/** Writes the content of an `AnyValue`. Throws for a value that is nested too deep or never ends. */
function writeValue(writer: ProtobufWriter, value: unknown, depth: number): void {
  if (depth > DEEPEST) throw new RangeError(`an attribute is nested deeper than ${DEEPEST} levels`)
  if (typeof value === 'string') writer.string(ANY.STRING, value)
  else if (typeof value === 'boolean') writer.unsigned(ANY.BOOL, value ? 1 : 0)
  else if (typeof value === 'number') writeNumber(writer, value)
  else if (value instanceof Uint8Array) writer.bytes(ANY.BYTES, value)
  else if (Array.isArray(value)) writeArray(writer, value, depth)
  else if (typeof value === 'object' && value !== null) writeObject(writer, value, depth)
}

function writeNumber(writer: ProtobufWriter, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) writer.unsigned(ANY.INT, value)
  else if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) writer.signed(ANY.INT, value)
  else writer.double(ANY.DOUBLE, value)
}

function writeArray(writer: ProtobufWriter, values: readonly unknown[], depth: number): void {
  const array = writer.open(ANY.ARRAY)
  for (const value of values) {
    const any = writer.open(VALUES)
    writeValue(writer, value, depth + 1)
    writer.close(any)
  }
  writer.close(array)
}

function writeObject(writer: ProtobufWriter, values: object, depth: number): void {
  const list = writer.open(ANY.KVLIST)
  for (const [key, value] of Object.entries(values)) writePair(writer, VALUES, key, value, depth + 1)
  writer.close(list)
}
