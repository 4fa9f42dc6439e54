import { attempt } from '@svc/core/attempt'
import { overrideMethod } from '@svc/core/override-method'
import { isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import { observeResponseProps } from './follow-props.ts'
import { followResponse } from './follow-response.ts'
import type { CallFollower, ObserveMethod } from './follower.ts'

/**
 * Observes the promise that a client returned without replacing it. The library reads a response lazily by the
 * promise's `parseResponse`; further promises (`parse`, and `create` itself) are made by `_thenUnwrap` and read it by the
 * same method; `asResponse` returns the raw response.
 */
export function followPromise(promise: unknown, follower: CallFollower): void {
  if (!isObject(promise)) return
  follower.promises.push(promise)
  for (const [name, observe] of OBSERVERS) {
    const method = promise[name]
    if (!isMethod(method)) continue
    overrideMethod(promise, name, function (...args) {
      return observe(follower, method, this, args)
    })
  }
}

const OBSERVERS: readonly (readonly [method: string, observe: ObserveMethod])[] = [
  ['parseResponse', observeParse],
  ['_thenUnwrap', observeUnwrap],
  ['asResponse', observeAsResponse],
  ['_responseProps', observeResponseProps],
]

function observeParse(follower: CallFollower, parse: Method, owner: unknown, args: unknown[]): unknown {
  // In most versions a promise made by `_thenUnwrap` calls the method of the one that it was made of.
  const isInner = follower.isCallingParse
  follower.isParsing = true
  follower.isCallingParse = true
  try {
    const parsed = parse.apply(owner, args)
    return isInner ? parsed : tapPromise(parsed, follower)
  } finally {
    follower.isCallingParse = isInner
  }
}

function observeUnwrap(follower: CallFollower, unwrap: Method, owner: unknown, args: unknown[]): unknown {
  const [transform] = args
  const observed = (...parsed: unknown[]): unknown => {
    follower.answered(parsed[0])
    return Reflect.apply(transform as Method, undefined, parsed)
  }
  const next = unwrap.apply(owner, isMethod(transform) ? [observed] : args)
  attempt('follow a promise', followPromise, next, follower)
  return next
}

function observeAsResponse(follower: CallFollower, asResponse: Method, owner: unknown, args: unknown[]): unknown {
  const value = (response: unknown) => {
    // withResponse() also calls asResponse(), but the library parses the response itself.
    if (!follower.isParsing) followResponse(response, follower)
  }
  return tapPromise(asResponse.apply(owner, args), { value, error: (reason) => follower.error(reason) })
}
