import { isObject } from '../gen-ai/read.ts'
import type { Outcome } from '../record/outcome.ts'

/** How a call ended of which the SDK tells no end: with an outcome, or with an error. */
export type Fate = Outcome | { readonly error: unknown }

/** By whose will something ended: an abort is the application's own, and a timeout is a failure. */
export function fateOf(error: unknown, signal?: unknown): Fate {
  const reason = isObject(signal) && signal.aborted === true ? signal.reason : undefined
  if (isTimeout(reason)) return { error: reason }
  return isAbort(error) || (reason !== undefined && reason === error) ? 'cancelled' : { error }
}

/** What an application says when it gives up by a signal. */
export function fateOfAbort(reason: unknown): Fate {
  return isTimeout(reason) ? { error: reason } : 'cancelled'
}

export function isAbort(error: unknown): boolean {
  return isObject(error) && error.name === 'AbortError'
}

function isTimeout(reason: unknown): boolean {
  return isObject(reason) && reason.name === 'TimeoutError'
}
