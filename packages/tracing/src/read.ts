/** Stands for a value whose getter throws: it is recorded like any value that cannot be serialized. */
const UNREADABLE = {
  toJSON() {
    throw new TypeError('a field cannot be read')
  },
}

const everybodys: Readonly<Record<string, unknown>> = Object.prototype as never

/**
 * Returns a field of a value from the application, also one of its class, but none that somebody has added to every
 * object; never throws.
 */
export function read(owner: unknown, name: string): unknown {
  try {
    const value = (owner as Record<string, unknown>)[name]
    const isInherited = value !== undefined && value === everybodys[name]
    return isInherited && !Object.hasOwn(owner as object, name) ? undefined : value
  } catch {
    return UNREADABLE
  }
}
