/** The request decoded, but it is not a trace export that can be stored. The message is for whoever sent it. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError'
}

export type Fields = Readonly<Record<string, unknown>>

/** `said` as an object; nothing said is an empty one. */
export function fieldsOf(said: unknown, what: string): Fields {
  if (said === undefined || said === null) return {}
  if (typeof said !== 'object' || Array.isArray(said)) throw new ShapeError(`${what} is not an object`)
  return Object.fromEntries(Object.entries(said))
}

/** `said` as a list; nothing said is an empty one. */
export function listOf(said: unknown, what: string): readonly unknown[] {
  if (said === undefined || said === null) return []
  if (!Array.isArray(said)) throw new ShapeError(`${what} is not an array`)
  return said
}

export const textOf = (said: unknown): string => (typeof said === 'string' ? said : '')
