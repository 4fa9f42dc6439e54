/** Stands for a value that throws when it is read: it is written as any other value without a JSON form. */
const UNREADABLE = {
  toJSON() {
    throw new TypeError('a field cannot be read')
  },
}

/** A field of whatever the application gave; never throws. */
export function read(owner: unknown, name: string): unknown {
  try {
    return (owner as Record<string, unknown>)[name]
  } catch {
    return UNREADABLE
  }
}
