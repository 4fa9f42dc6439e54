import { overrideMethod } from '@svc/core/override-method'
import { asString, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import type { PromiseFollower } from './follower.ts'

/**
 * Observes `json()` and `text()` of a raw response that the application took; never reads the body itself. If the
 * application reads it in another way, as a stream for example, no content is recorded and the call ends as abandoned
 * when the response is garbage-collected.
 */
export function followResponse(response: unknown, follower: PromiseFollower): void {
  if (!isObject(response)) return
  const { json, text } = response
  if (isMethod(json)) overrideMethod(response, 'json', wrapBodyReader(json, follower, identity))
  if (isMethod(text)) overrideMethod(response, 'text', wrapBodyReader(text, follower, parseJsonText))
}

function wrapBodyReader(read: Method, follower: PromiseFollower, parse: (value: unknown) => unknown): Method {
  const observer = {
    value: (content: unknown) => follower.value(parse(content)),
    error: (reason: unknown) => follower.error(reason),
  }
  return function (...args) {
    return tapPromise(read.apply(this, args), observer)
  }
}

const identity = (value: unknown): unknown => value

/** Streamed events are text, too, but not a response. */
function parseJsonText(text: unknown): unknown {
  try {
    return JSON.parse(asString(text) ?? '')
  } catch {
    return undefined
  }
}
