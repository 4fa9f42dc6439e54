import { attempt } from '@svc/core/attempt'
import { overrideMethod } from '@svc/core/override-method'
import { asRecord, type Fields, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { likeOriginal, replaceMethod } from './replace-method.ts'

/** Maps method names to functions that wrap the method. */
export type Wrappers = Readonly<Record<string, (original: Method) => Method>>

/**
 * Patches methods on the prototype of a class.
 *
 * @param owner the class; anything else is left alone
 * @returns whether this call patched a method
 */
export function patchMethods(owner: unknown, names: readonly string[], wrappers: Wrappers): boolean {
  return names.map((name) => patchMember(ownerOf(owner, name), name, wrappers)).includes(true)
}

/** Patches every method of a class that has a wrapper. Returns whether this call patched one. */
export function patchClass(owner: unknown, wrappers: Wrappers): boolean {
  return patchMethods(owner, Object.keys(wrappers), wrappers)
}

/** Patches an own method of an object. */
export function patchMember(owner: unknown, name: string, wrappers: Wrappers): boolean {
  const wrap = wrappers[name]
  return wrap !== undefined && replaceMethod(owner, name, wrap)
}

/** Returns the prototype that owns the method: a base class serves its subclasses. */
export function ownerOf(owner: unknown, method: string): Fields | undefined {
  let prototype: unknown = typeof owner === 'function' ? owner.prototype : undefined
  while (isObject(prototype) && !Object.hasOwn(prototype, method)) prototype = Object.getPrototypeOf(prototype)
  return isObject(prototype) ? prototype : undefined
}

/** Returns a nested member of a class: `getMember(OpenAI, 'Chat', 'Completions')`. */
export function getMember(owner: unknown, ...names: readonly string[]): unknown {
  return names.reduce((at, name) => (isObject(at) || isMethod(at) ? Reflect.get(at, name) : undefined), owner)
}

/** The getters that we installed. */
const ourGetters = new WeakSet<object>()

/** Calls `onValue` with each value that a getter of a class returns, for values whose class is not exported. */
export function whenRead(owner: unknown, name: string, onValue: (value: object) => void): void {
  const prototype = ownerOf(owner, name)
  const descriptor = prototype && Object.getOwnPropertyDescriptor(prototype, name)
  if (!descriptor?.get || ourGetters.has(descriptor.get)) return
  const { get } = descriptor
  function getter(this: unknown): unknown {
    const value: unknown = get.call(this)
    if (typeof value === 'object' && value !== null) attempt(`look at ${name}`, () => onValue(value))
    return value
  }
  ourGetters.add(getter)
  Object.defineProperty(prototype, name, { ...descriptor, get: getter })
}

/** Defines an own method on a class that calls the inherited one. */
export function defineOwnMethod(owner: unknown, name: string): void {
  const prototype = typeof owner === 'function' ? asRecord(owner.prototype) : {}
  const base = Object.getPrototypeOf(prototype)
  const inherited = prototype[name]
  if (!isMethod(inherited) || Object.hasOwn(prototype, name)) return
  const method: Method = function (...args) {
    return Reflect.apply(base[name], this, args)
  }
  overrideMethod(prototype, name, likeOriginal(method, inherited))
}

/** Calls `onValue` once for each instance, when its constructor sets a field. */
export function whenFirstSet(owner: unknown, name: string, onValue: (instance: object, value: unknown) => void): void {
  const prototype: unknown = typeof owner === 'function' ? owner.prototype : undefined
  if (!isObject(prototype) || Object.hasOwn(prototype, name)) return
  Object.defineProperty(prototype, name, {
    configurable: true,
    get: () => undefined,
    set(this: object, value: unknown) {
      Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true })
      attempt(`look at ${name}`, () => onValue(this, value))
    },
  })
}
