/** A method of an object of the application. */
export type Method = (this: unknown, ...args: unknown[]) => unknown

export function isMethod(value: unknown): value is Method {
  return typeof value === 'function'
}

// The same stream may be returned by several observed functions, and a shared one (`process.stdout`) by every call of
// one: the number of replacements has to be limited.
const DEEPEST = 10
// Stored on the method: the keys of a WeakMap cost the garbage collector more than everything else here.
const DEPTH = Symbol('depth')
const depthOf = (method: unknown): number => (isMethod(method) ? ((method as Marked)[DEPTH] ?? 0) : 0)

interface Marked {
  [DEPTH]?: number
}

/**
 * Replaces a method of one object, own or inherited; an inherited one stays non-enumerable. Throws if the object is not
 * extensible or already has ten of our replacements.
 *
 * @returns a function that restores the method
 */
export function overrideMethod(owner: object, name: PropertyKey, value: Method): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name)
  const depth = before ? 1 + depthOf(before.value) : 0
  if (depth >= DEEPEST) throw new RangeError(`${String(name)} of this object is followed ${DEEPEST} times already`)
  // Mostly it is the only one, and a mark costs as much as the rest.
  if (depth > 0) (value as Marked)[DEPTH] = depth
  const enumerable = before?.enumerable ?? false
  Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable })
  return () => {
    // Other code may have replaced the method again, or frozen the object.
    if (Object.getOwnPropertyDescriptor(owner, name)?.value !== value) return
    if (before) Reflect.defineProperty(owner, name, before)
    else Reflect.deleteProperty(owner, name)
  }
}
