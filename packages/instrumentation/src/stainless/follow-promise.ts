import { attempt } from '@svc/core/attempt'
import { isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { overrideMethod } from '../patch/override-method.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import { wrapResponseProps } from './follow-props.ts'
import { followResponse } from './follow-response.ts'
import type { Follower } from './follower.ts'

/**
 * Observes the promise that a client returned without replacing it. The library reads a response lazily by the
 * promise's `parseResponse`; further promises (`parse`, and `create` itself) are made by `_thenUnwrap`; `asResponse`
 * returns the raw response.
 */
export function followPromise(promise: unknown, follower: Follower): void {
  if (!isObject(promise)) return
  follower.follow(promise)
  const { parseResponse, _thenUnwrap, asResponse, _responseProps } = promise
  if (isMethod(parseResponse)) overrideMethod(promise, 'parseResponse', wrapParse(parseResponse, follower))
  if (isMethod(_thenUnwrap)) overrideMethod(promise, '_thenUnwrap', wrapUnwrap(_thenUnwrap, follower))
  if (isMethod(asResponse)) overrideMethod(promise, 'asResponse', wrapAsResponse(asResponse, follower))
  if (isMethod(_responseProps)) overrideMethod(promise, '_responseProps', wrapResponseProps(_responseProps, follower))
}

function wrapParse(parse: Method, follower: Follower): Method {
  return function (...args) {
    follower.isParsing = true
    return tapPromise(parse.apply(this, args), follower)
  }
}

function wrapUnwrap(unwrap: Method, follower: Follower): Method {
  return function (transform, ...rest) {
    if (!isMethod(transform)) return unwrap.call(this, transform, ...rest)
    const observedTransform: Method = (value, ...more) => {
      attempt('look at an answer', () => follower.value(value))
      return transform(value, ...more)
    }
    const next = unwrap.call(this, observedTransform, ...rest)
    attempt('follow a promise', () => followPromise(next, follower))
    return next
  }
}

function wrapAsResponse(asResponse: Method, follower: Follower): Method {
  return function (...args) {
    const value = (response: unknown) => {
      // withResponse() also calls asResponse(), but the library parses the response itself.
      if (!follower.isParsing) followResponse(response, follower)
    }
    return tapPromise(asResponse.apply(this, args), { value, error: (reason) => follower.error(reason) })
  }
}
