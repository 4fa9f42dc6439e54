import { own } from '../../own.ts'
import type { Attributes, Value } from '../../store/received.ts'
import { type Fields, fieldsOf, listOf, ShapeError, textOf } from './shape.ts'

/** Deepest attribute value that is taken, in levels of arrays and maps. */
const MAX_VALUE_DEPTH = 100

/** The attributes of anything that has some: a list of keys and `AnyValue`s to a plain object. Later keys win. */
export function attributesOf(said: unknown, what: string): Attributes {
  return pairs(said, what, 0)
}

function pairs(said: unknown, what: string, depth: number): Record<string, Value> {
  const entries = listOf(said, what).map((item): [string, Value] => {
    const { key, value } = fieldsOf(item, `an entry of ${what}`)
    return [textOf(key), anyValue(fieldsOf(value, `the value of ${textOf(key)}`), what, depth)]
  })
  // fromEntries defines own properties: a key named __proto__ stays a key.
  return Object.fromEntries(entries)
}

type Reader = (said: unknown, what: string, depth: number) => Value

const KINDS: Readonly<Record<string, Reader>> = {
  stringValue: (said) => String(said),
  boolValue: (said) => said === true || said === 'true',
  intValue: (said) => integer(said),
  doubleValue: (said) => Number(said),
  bytesValue: (said) => textOf(said),
  arrayValue: (said, what, depth) =>
    listOf(fieldsOf(said, what).values, what).map((item) => anyValue(fieldsOf(item, what), what, depth + 1)),
  kvlistValue: (said, what, depth) => pairs(fieldsOf(said, what).values, what, depth + 1),
}

function anyValue(any: Fields, what: string, depth: number): Value {
  if (depth > MAX_VALUE_DEPTH)
    throw new ShapeError(`${what} holds a value nested deeper than ${MAX_VALUE_DEPTH} levels`)
  for (const kind in any) {
    const said = any[kind]
    if (said !== undefined && said !== null) return own(KINDS, kind)?.(said, what, depth) ?? null
  }
  return null
}

// OTLP/JSON writes 64-bit integers as text. What a double cannot hold exactly stays text.
function integer(said: unknown): Value {
  const value = Number(said)
  return Number.isSafeInteger(value) ? value : String(said)
}
