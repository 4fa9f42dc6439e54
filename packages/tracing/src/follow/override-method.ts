/** A method of an object that is not ours. */
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
 * Replaces a method of one object: its own, or the one it inherits, which stays non-enumerable. Throws if the object
 * takes no new property, or if ten of our replacements lie on top of each other already.
 *
 * @returns undoes the replacement
 */
export function overrideMethod(owner: object, name: PropertyKey, value: object): () => void {
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
