/** A method of an object of somebody else. */
export type Method = (this: unknown, ...args: unknown[]) => unknown

export function isMethod(value: unknown): value is Method {
  return typeof value === 'function'
}

// The same stream may be returned through several observed functions, and a shared one (`process.stdout`) by every
// call of one: that must not grow without end.
const DEEPEST = 10
// On the method itself: the keys of a WeakMap cost the garbage collector more than everything else here.
const DEPTH = Symbol('depth')
const depthOf = (method: unknown): number => (isMethod(method) ? ((method as Marked)[DEPTH] ?? 0) : 0)

interface Marked {
  [DEPTH]?: number
}

/**
 * Puts `value` in the place of an object's own property, or in front of an inherited one, so that its fields list as
 * before. Throws where the object takes no new property, or has ten of ours over each
 * other already.
 *
 * @returns undoes it
 */
export function shadow(owner: object, name: PropertyKey, value: object): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name)
  const depth = 1 + depthOf(before?.value)
  if (depth > DEEPEST) throw new RangeError(`${String(name)} of this object is followed ${DEEPEST} times already`)
  ;(value as Marked)[DEPTH] = depth
  const enumerable = before?.enumerable ?? false
  Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable })
  return () => {
    // Somebody may have put something else there, or closed the object, since.
    if (Object.getOwnPropertyDescriptor(owner, name)?.value !== value) return
    if (before) Reflect.defineProperty(owner, name, before)
    else Reflect.deleteProperty(owner, name)
  }
}
