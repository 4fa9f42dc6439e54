import * as SLOTS from '@svc/core/slots'
import { exportOf, type Fields } from '../gen-ai/read.ts'
import { type LoadWrappers, ownerOf, patchMethods, type Wrappers } from '../patch/patch-methods.ts'

/** Set on the prototype of clients whose calls are always recorded. */
export const ALWAYS = Symbol.for(SLOTS.RECORDED_ALWAYS)

/**
 * Patches a client class so that its calls are recorded. Works for clients that Stainless generates: every request
 * passes `post(path, options)`, which returns a promise with helpers, and `makeRequest`, once for each attempt. The
 * application gets the library's own promise.
 *
 * @param client the class; anything else is left alone
 * @returns whether this call patched the class
 */
export function patchClient(client: unknown, load: () => Wrappers): boolean {
  const prototype = prepareClient(client, load)
  if (!prototype || Object.hasOwn(prototype, ALWAYS)) return false
  Object.defineProperty(prototype, ALWAYS, { value: true })
  return true
}

/**
 * Patches a client class so that only calls under `withClientConfig` are recorded. Returns undefined if it is not such
 * a class.
 */
export function prepareClient(client: unknown, load: () => Wrappers): Fields | undefined {
  const prototype = ownerOf(client, 'post')
  if (typeof prototype?.post !== 'function') return undefined
  patchMethods(client, ['post', 'makeRequest'], load)
  return prototype
}

/** Creates a patch for the client that a file exports under this name. */
export function createClientPatch(name: string) {
  return (exports: unknown, load: LoadWrappers): boolean => patchClient(exportOf(exports, name), () => load().wrappers)
}
