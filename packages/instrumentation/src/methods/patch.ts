import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { Call } from '../calls/call.ts'
import { capturesContent } from '../calls/configure.ts'
import { observe } from '../calls/observe.ts'
import { type Fields, isObject } from '../calls/read.ts'
import { questionAttributes } from '../calls/result.ts'
import { isMethod, type Method, shadow } from '../calls/shadow.ts'
import { isSuppressed } from '../calls/suppress.ts'
import { Follower } from './follower.ts'
import type { Asked, ObservedMethod } from './method.ts'

// Symbol.for: a second copy of this package must see what the first one did.
const PATCHED = Symbol.for('svc.patched.6')

/**
 * Makes every instance of a class record the calls of these methods. Works on methods that return ordinary promises:
 * the application gets another promise for the same result, which nobody can tell apart.
 *
 * @param owner the class, or anything else, which is left alone
 * @returns whether a method was patched, by this call
 */
export function patchMethods(owner: unknown, scope: string, methods: readonly ObservedMethod[]): boolean {
  return methods.map((method) => patchMethod(owner, scope, method)).includes(true)
}

function patchMethod(owner: unknown, scope: string, method: ObservedMethod): boolean {
  const prototype = ownerOf(owner, method.name)
  const own = prototype?.[method.name]
  if (!prototype || !isMethod(own) || PATCHED in own) return false
  const observed = Object.defineProperty(observedMethod(own, scope, method), PATCHED, { value: true })
  for (const property of ['name', 'length'] as const) {
    Object.defineProperty(observed, property, { value: own[property], configurable: true })
  }
  shadow(prototype, method.name, observed)
  return true
}

/** The prototype that has the method itself: a base class serves its subclasses. */
function ownerOf(owner: unknown, method: string): Fields | undefined {
  let prototype: unknown = typeof owner === 'function' ? owner.prototype : undefined
  while (isObject(prototype) && !Object.hasOwn(prototype, method)) prototype = Object.getPrototypeOf(prototype)
  return isObject(prototype) ? prototype : undefined
}

function observedMethod(own: Method, scope: string, method: ObservedMethod): Method {
  return function (...args) {
    const begun = attempt('begin a span', () => begin(this, args, scope, method))
    if (!begun) return own.apply(this, args)
    const { call, asked } = begun
    if (!call.recording) return context.with(call.context, () => own.apply(this, args))
    const follower = new Follower(call, method, asked.signal)
    try {
      return observe(
        context.with(call.context, () => own.apply(this, args)),
        follower,
      )
    } catch (error) {
      follower.error(error)
      throw error
    }
  }
}

function begin(owner: unknown, args: readonly unknown[], scope: string, method: ObservedMethod) {
  const { operation } = method
  if (!isObject(owner) || method.applies?.(args) === false) return undefined
  if (isSuppressed(context.active(), operation)) return undefined
  const asked: Asked = method.ask(owner, args)
  const { model, tool, attributes, secrets } = asked
  const call = new Call({ scope, operation, model, tool, attributes, ...(secrets ? { secrets } : {}) })
  if (call.recording && capturesContent()) {
    attempt('read the messages of a request', () => call.learn(undefined, questionAttributes(asked.question())))
  }
  return { call, asked }
}
