import { overrideMethod } from '@svc/core/override-method'
import * as SLOTS from '@svc/core/slots'
import { isMethod, isObject, type Method } from '../gen-ai/read.ts'

// Symbol.for: every copy of this package must see what the others patched.
const PATCHED = Symbol.for(SLOTS.PATCHED)

/**
 * Replaces an own method of an object. Inherited methods, other values and methods that were replaced before are left
 * alone.
 *
 * @returns whether this call replaced it
 */
export function replaceMethod(owner: unknown, name: string, replacement: (original: Method) => Method): boolean {
  if (!(isObject(owner) || typeof owner === 'function') || !Object.hasOwn(owner, name)) return false
  const original: unknown = Reflect.get(owner, name)
  if (!isMethod(original) || !markPatched(owner, name)) return false
  overrideMethod(owner, name, likeOriginal(replacement(original), original))
  return true
}

/** Copies the name and length of a method to another one. */
export function likeOriginal(method: Method, original: Method): Method {
  for (const property of ['name', 'length'] as const) {
    Object.defineProperty(method, property, { value: original[property], configurable: true })
  }
  return method
}

/** Marks the owner instead of the method, which other tools may wrap. Returns false if it was marked already. */
function markPatched(owner: object, name: string): boolean {
  if (!Object.hasOwn(owner, PATCHED)) Object.defineProperty(owner, PATCHED, { value: new Set() })
  const patched = Reflect.get(owner, PATCHED) as Set<string>
  return !patched.has(name) && patched.add(name) !== undefined
}

export function getPrototype(owner: unknown): unknown {
  return typeof owner === 'function' ? owner.prototype : undefined
}
