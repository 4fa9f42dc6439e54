import { own } from '@svc/core/own'
import { exactNumber, findNumberText, writeText } from '../../exact-json.ts'
import type { Attributes, Value } from '../../store/received.ts'
import { fieldsOf, joinedHalves, type RawFields, readList, readText, ShapeError } from './shape.ts'

/** Deepest attribute value that is taken, in levels of arrays and maps. */
const MAX_VALUE_DEPTH = 100

/** The attributes of anything that has some: a list of keys and `AnyValue`s to a plain object. Later keys win. */
export function attributesOf(raw: unknown, what: string): Attributes {
  return pairs(raw, what, 0)
}

function pairs(raw: unknown, what: string, depth: number): Record<string, Value> {
  const entries = readList(raw, what).map((item): [string, Value] => {
    const { key, value } = fieldsOf(item, `an entry of ${what}`)
    return [readText(key), anyValue(fieldsOf(value, `the value of ${readText(key)}`), what, depth)]
  })
  // fromEntries defines own properties: a key named __proto__ stays a key.
  return Object.fromEntries(entries)
}

type Reader = (raw: unknown, what: string, depth: number) => Value

const KINDS: Readonly<Record<string, Reader>> = {
  stringValue: writeText,
  boolValue: (raw) => raw === true || raw === 'true',
  intValue: number,
  doubleValue: number,
  bytesValue: (raw) => readText(raw),
  arrayValue: (raw, what, depth) =>
    readList(fieldsOf(raw, what).values, what).map((item) => anyValue(fieldsOf(item, what), what, depth + 1)),
  kvlistValue: (raw, what, depth) => pairs(fieldsOf(raw, what).values, what, depth + 1),
}

function anyValue(any: RawFields, what: string, depth: number): Value {
  if (depth > MAX_VALUE_DEPTH)
    throw new ShapeError(`${what} holds a value nested deeper than ${MAX_VALUE_DEPTH} levels`)
  for (const kind in any) {
    const raw = own(any, kind)
    if (raw !== undefined && raw !== null) return own(KINDS, kind)?.(raw, what, depth) ?? null
  }
  return null
}

/** OTLP/JSON writes 64-bit integers, `NaN` and infinities as text; older exporters have halves of integers. */
function number(raw: unknown): Value {
  if (typeof raw === 'number' || findNumberText(raw) !== undefined) return raw as Value
  const halves = joinedHalves(raw)
  return exactNumber(halves === undefined ? String(raw) : BigInt.asIntN(64, halves).toString()) as Value
}
