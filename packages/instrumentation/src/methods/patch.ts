import { attempt } from '@svc/core/attempt'
import { type Fields, fieldsOf, isObject } from '../calls/read.ts'
import { isMethod, type Method, shadow } from '../calls/shadow.ts'

/** The methods of a class by name, and what to put in the place of each: the same method, observed. */
export type Observing = Readonly<Record<string, (own: Method) => Method>>

// Symbol.for: a second copy of this package must see what the first one did.
const PATCHED = Symbol.for('svc.patched.6')

/**
 * Makes every instance of a class have these methods observed. What observes them is loaded when the first of them is
 * called: most of what an application imports it never calls, and loading takes longer than everything else here.
 *
 * @param owner the class, or anything else, which is left alone
 * @returns whether a method was patched, by this call
 */
export function patchMethods(owner: unknown, names: readonly string[], load: () => Observing): boolean {
  return names.map((name) => patchMethod(ownerOf(owner, name), name, load)).includes(true)
}

function patchMethod(prototype: Fields | undefined, name: string, load: () => Observing): boolean {
  const own = prototype?.[name]
  if (!prototype || !isMethod(own) || !mark(prototype, name)) return false
  const patched = lazily(own, () => load()[name]?.(own))
  for (const property of ['name', 'length'] as const) {
    Object.defineProperty(patched, property, { value: own[property], configurable: true })
  }
  shadow(prototype, name, patched)
  return true
}

/** On the prototype and not on the method: others may wrap ours. False when it was there. */
function mark(prototype: Fields, name: string): boolean {
  if (!Object.hasOwn(prototype, PATCHED)) Object.defineProperty(prototype, PATCHED, { value: new Set() })
  const patched = Reflect.get(prototype, PATCHED) as Set<string>
  return !patched.has(name) && patched.add(name) !== undefined
}

function lazily(own: Method, load: () => Method | undefined): Method {
  let observed: Method | undefined
  return function (...args) {
    observed ??= attempt('load what observes a call', load)
    return (observed ?? own).apply(this, args)
  }
}

/** The prototype that has the method itself: a base class serves its subclasses. */
export function ownerOf(owner: unknown, method: string): Fields | undefined {
  let prototype: unknown = typeof owner === 'function' ? owner.prototype : undefined
  while (isObject(prototype) && !Object.hasOwn(prototype, method)) prototype = Object.getPrototypeOf(prototype)
  return isObject(prototype) ? prototype : undefined
}

/** Getters of ours. */
const looking = new WeakSet<object>()

/** Looks at what a getter of a class gives, whenever it does: the class of that may be exported nowhere. */
export function whenRead(owner: unknown, name: string, see: (value: object) => void): void {
  const prototype = ownerOf(owner, name)
  const described = prototype && Object.getOwnPropertyDescriptor(prototype, name)
  if (!described?.get || looking.has(described.get)) return
  const { get } = described
  function look(this: unknown): unknown {
    const value: unknown = get.call(this)
    if (typeof value === 'object' && value !== null) attempt(`look at ${name}`, () => see(value))
    return value
  }
  looking.add(look)
  Object.defineProperty(prototype, name, { ...described, get: look })
}

/** Gives a class a method of its own that does what the inherited one does. */
export function ownMethod(owner: unknown, name: string): void {
  const prototype = typeof owner === 'function' ? fieldsOf(owner.prototype) : {}
  const base = Object.getPrototypeOf(prototype)
  const inherited = prototype[name]
  if (!isMethod(inherited) || Object.hasOwn(prototype, name)) return
  const own: Method = function (...args) {
    return Reflect.apply(base[name], this, args)
  }
  for (const property of ['name', 'length'] as const) {
    Object.defineProperty(own, property, { value: inherited[property], configurable: true })
  }
  shadow(prototype, name, own)
}
