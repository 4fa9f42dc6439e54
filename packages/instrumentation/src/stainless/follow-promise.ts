import { attempt } from '@svc/core/attempt'
import { overrideMethod } from '@svc/core/override-method'
import { type Fields, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { likeOriginal } from '../patch/replace-method.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import { observeResponseProps } from './follow-props.ts'
import { followResponse } from './follow-response.ts'
import type { ObserveMethod, PromiseFollower } from './follower.ts'

const FOLLOWER = Symbol('follower')
const OBSERVED = Symbol('observed')

interface Followed {
  [FOLLOWER]?: PromiseFollower
}

/**
 * Observes the promise that a client returned without replacing it. The library reads a response lazily by the
 * promise's `parseResponse`; further promises (`parse`, and `create` itself) are made by `_thenUnwrap` and read it by the
 * same method; `asResponse` returns the raw response.
 */
export function followPromise(promise: unknown, follower: PromiseFollower): void {
  if (!isObject(promise)) return
  follower.promises.push(promise)
  Object.defineProperty(promise, FOLLOWER, { value: follower, configurable: true })
  for (const [name, observe] of OBSERVERS) {
    const method = promise[name]
    if (isMethod(method) && !(OBSERVED in method)) observeMethod(promise, name, method, observe)
  }
}

const OBSERVERS: readonly (readonly [method: string, observe: ObserveMethod])[] = [
  ['parseResponse', observeParse],
  ['_thenUnwrap', observeUnwrap],
  ['asResponse', observeAsResponse],
  ['_responseProps', observeResponseProps],
]

/** A method of the class once, for all promises: replacing it on each costs more than what it observes. */
function observeMethod(promise: Fields, name: string, method: Method, observe: ObserveMethod): void {
  const isOwn = Object.hasOwn(promise, name)
  const own = isOwn ? (promise as Followed)[FOLLOWER] : undefined
  const observed: Method = function (...args) {
    const follower = own ?? (this as Followed | undefined)?.[FOLLOWER]
    return follower ? observe(follower, method, this, args) : method.apply(this, args)
  }
  if (isOwn) return void Reflect.set(promise, name, observed)
  Object.defineProperty(observed, OBSERVED, { value: true })
  overrideMethod(Object.getPrototypeOf(promise), name, likeOriginal(observed, method))
}

function observeParse(follower: PromiseFollower, parse: Method, owner: unknown, args: unknown[]): unknown {
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

function observeUnwrap(follower: PromiseFollower, unwrap: Method, owner: unknown, args: unknown[]): unknown {
  const [transform] = args
  const observed = (...parsed: unknown[]): unknown => {
    follower.answered(parsed[0])
    return Reflect.apply(transform as Method, undefined, parsed)
  }
  const next = unwrap.apply(owner, isMethod(transform) ? [observed] : args)
  attempt('follow a promise', followPromise, next, follower)
  return next
}

function observeAsResponse(follower: PromiseFollower, asResponse: Method, owner: unknown, args: unknown[]): unknown {
  const value = (response: unknown) => {
    // withResponse() also calls asResponse(), but the library parses the response itself.
    if (!follower.isParsing) followResponse(response, follower)
  }
  return tapPromise(asResponse.apply(owner, args), { value, error: (reason) => follower.error(reason) })
}
