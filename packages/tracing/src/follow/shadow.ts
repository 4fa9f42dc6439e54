/** A method of an object of somebody else. */
export type Method = (this: unknown, ...args: unknown[]) => unknown

export function isMethod(value: unknown): value is Method {
  return typeof value === 'function'
}

/**
 * Puts `value` in the place of an object's own property, or in front of an inherited one, so that its fields list as
 * before. Throws where the object takes no new property.
 *
 * @returns undoes it
 */
export function shadow(owner: object, name: PropertyKey, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name)
  const enumerable = before?.enumerable ?? false
  Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable })
  return () => {
    // Somebody may have put something else there, or closed the object, since.
    if (Object.getOwnPropertyDescriptor(owner, name)?.value !== value) return
    if (before) Reflect.defineProperty(owner, name, before)
    else Reflect.deleteProperty(owner, name)
  }
}
