import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { Call } from '../calls/call.ts'
import { capturesContent } from '../calls/configure.ts'
import { observe } from '../calls/observe.ts'
import { isObject, isPromise } from '../calls/read.ts'
import { questionAttributes } from '../calls/result.ts'
import type { Method } from '../calls/shadow.ts'
import { isSuppressed } from '../calls/suppress.ts'
import { Follower } from './follower.ts'
import type { Asked, ObservedMethod } from './method.ts'
import type { Observing } from './patch.ts'

/**
 * Records the calls of methods that return ordinary promises: the application gets another promise for the same result,
 * which nobody can tell apart.
 */
export function observing(scope: string, methods: readonly ObservedMethod[]): Observing {
  return Object.fromEntries(methods.map((method) => [method.name, (own: Method) => observedMethod(own, scope, method)]))
}

function observedMethod(own: Method, scope: string, method: ObservedMethod): Method {
  return function (...args) {
    const begun = attempt('begin a span', () => begin(this, args, scope, method))
    if (!begun) return own.apply(this, args)
    const { call, asked } = begun
    if (!call.recording) return call.run(() => own.apply(this, args))
    const follower = new Follower(call, method, asked.signal)
    try {
      const given = call.run(() => own.apply(this, args))
      // A generator is there at once.
      if (!isPromise(given)) attempt('follow a stream', () => follower.value(given))
      return observe(given, follower)
    } catch (error) {
      follower.error(error)
      throw error
    }
  }
}

/** Begins the span of a call; undefined where none is to be made. */
export function begin(owner: unknown, args: readonly unknown[], scope: string, method: ObservedMethod) {
  const { operation } = method
  if (!isObject(owner) || method.applies?.(args) === false) return undefined
  if (isSuppressed(context.active(), operation)) return undefined
  const asked: Asked = method.ask(owner, args)
  const { model, tool, attributes, secrets } = asked
  const call = new Call({ scope, operation, model, tool, attributes, ...(secrets ? { secrets } : {}) })
  call.signal = asked.signal
  if (call.recording && capturesContent()) {
    attempt('read the messages of a request', () => call.learn(undefined, questionAttributes(asked.question())))
  }
  return { call, asked }
}
