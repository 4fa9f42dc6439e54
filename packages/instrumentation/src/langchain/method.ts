import { isObject } from '../calls/read.ts'
import { isMethod, type Method, shadow } from '../calls/shadow.ts'

// Symbol.for: a second copy of this package must see what the first one did.
const PATCHED = Symbol.for('svc.patched.6')

/**
 * Puts another method in the place of an object's own. What is inherited, is no method, or was replaced before is left
 * alone.
 *
 * @returns whether it was replaced, by this call
 */
export function replaceMethod(owner: unknown, name: string, replacement: (own: Method) => Method): boolean {
  if (!(isObject(owner) || typeof owner === 'function') || !Object.hasOwn(owner, name)) return false
  const own: unknown = Reflect.get(owner, name)
  if (!isMethod(own) || PATCHED in own) return false
  const method = Object.defineProperty(replacement(own), PATCHED, { value: true })
  for (const property of ['name', 'length'] as const) {
    Object.defineProperty(method, property, { value: own[property], configurable: true })
  }
  shadow(owner, name, method)
  return true
}

export function prototypeOf(owner: unknown): unknown {
  return typeof owner === 'function' ? owner.prototype : undefined
}
