import { asArray, asName, asNumber, type Fields } from './read.ts'

/** Attribute → the fields of a request that hold the number, newest name first. */
export type NumberTable = readonly (readonly [attribute: string, fields: readonly string[]])[]

/** More stop sequences than any model takes. */
const STOP_LIMIT = 16

/** The numbers among the parameters of a request. */
export function numbersOf(request: Fields, table: NumberTable): Record<string, number> {
  const numbers: Record<string, number> = {}
  for (const [attribute, fields] of table) {
    for (const field of fields) {
      const value = asNumber(request[field])
      if (value === undefined) continue
      numbers[attribute] = value
      break
    }
  }
  return numbers
}

export function stopsOf(sequences: unknown): string[] | undefined {
  const stops = asArray(sequences).flatMap((sequence) => asName(sequence) ?? [])
  return stops.length > 0 ? stops.slice(0, STOP_LIMIT) : undefined
}
