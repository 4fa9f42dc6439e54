/** The request decoded, but it is not a trace export that can be stored. The message is sent back to the client. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError'
}

export type RawFields = Readonly<Record<string, unknown>>

/** A value as an object; empty when it is missing. */
export function fieldsOf(raw: unknown, what: string): RawFields {
  if (raw === undefined || raw === null) return {}
  if (typeof raw !== 'object' || Array.isArray(raw)) throw new ShapeError(`${what} is not an object`)
  return Object.fromEntries(Object.entries(raw))
}

/** A value as a list; empty when it is missing. */
export function readList(raw: unknown, what: string): readonly unknown[] {
  if (raw === undefined || raw === null) return []
  if (!Array.isArray(raw)) throw new ShapeError(`${what} is not an array`)
  return raw
}

export const readText = (raw: unknown): string => (typeof raw === 'string' ? raw : '')

/** The 64 bits of `{low, high}`, as older JSON exporters write integers; undefined where a value is no such thing. */
export function joinedHalves(raw: unknown): bigint | undefined {
  if (typeof raw !== 'object' || raw === null || !('low' in raw) || !('high' in raw)) return undefined
  const { low, high } = raw
  if (!Number.isInteger(low) || !Number.isInteger(high)) return undefined
  return (BigInt.asUintN(32, BigInt(Number(high))) << 32n) | BigInt.asUintN(32, BigInt(Number(low)))
}
