/** Stands for a value whose getter throws: it is recorded like any value that cannot be serialized. */
const UNREADABLE = {
  toJSON() {
    throw new TypeError('a field cannot be read')
  },
}

/** Returns a field of a value from the application; never throws. */
export function read(owner: unknown, name: string): unknown {
  try {
    return (owner as Record<string, unknown>)[name]
  } catch {
    return UNREADABLE
  }
}
