import * as SLOTS from '@svc/core/slots'
import type { Fields } from '../gen-ai/read.ts'
import { ownerOf, patchMethods, type Wrappers } from '../patch/patch-methods.ts'

/** Set on the prototype of clients whose calls are always recorded. */
export const ALWAYS = Symbol.for(SLOTS.RECORDED_ALWAYS)

/**
 * Patches a client class so that its calls are recorded. Works for clients that Stainless generates: every request
 * passes `post(path, options)`, or `get`, which return a promise with helpers, and `makeRequest`, once for each attempt. The
 * application gets the library's own promise.
 *
 * @param client the class; anything else is left alone
 * @returns whether this call patched the class
 */
export function patchClient(client: unknown, wrappers: Wrappers): boolean {
  const prototype = prepareClient(client, wrappers)
  if (!prototype || Object.hasOwn(prototype, ALWAYS)) return false
  Object.defineProperty(prototype, ALWAYS, { value: true })
  return true
}

/**
 * Patches a client class so that only calls under `withClientConfig` are recorded. Returns undefined if it is not such
 * a class.
 */
export function prepareClient(client: unknown, wrappers: Wrappers): Fields | undefined {
  const prototype = ownerOf(client, 'post')
  if (typeof prototype?.post !== 'function') return undefined
  patchMethods(client, ['post', 'get', 'makeRequest'], wrappers)
  return prototype
}
