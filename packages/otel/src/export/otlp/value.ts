import type { ProtobufWriter } from './writer.ts'

/** Field numbers of `opentelemetry/proto/common/v1/common.proto`. */
const ANY = { STRING: 1, BOOL: 2, INT: 3, DOUBLE: 4, ARRAY: 5, KVLIST: 6, BYTES: 7 } as const
const KEY_VALUE = { KEY: 1, VALUE: 2 } as const
const VALUES = 1

/** Receivers count nested messages and refuse a whole batch beyond 100; one level of a value takes three. */
export const DEEPEST = 30

/** Writes attributes as `KeyValue` messages; those without a value are left out. */
export function writeAttributes(
  writer: ProtobufWriter,
  field: number,
  attributes: Readonly<Record<string, unknown>>,
): void {
  for (const key of Object.keys(attributes)) {
    const value = attributes[key]
    if (value !== undefined && value !== null) writePair(writer, field, key, value, 0)
  }
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
