import type { Observing } from '../methods/patch.ts'
import { patchLibrary } from '../places.ts'
import { observedSend } from './send.ts'

/** What observes the calls of `@aws-sdk/client-bedrock-runtime`. */
export const observing: Observing = { send: observedSend }

/**
 * Makes every client of `@aws-sdk/client-bedrock-runtime` record the models it calls, in the words of the Converse API
 * or in their own, streamed or not, as spans of the global tracer provider. Never throws.
 *
 * @param exports what `import * as bedrock from '@aws-sdk/client-bedrock-runtime'` or `require(…)` of it gave
 * @returns whether there was a class that was not instrumented yet
 */
export function instrumentBedrock(exports: unknown): boolean {
  return patchLibrary('bedrock', exports, () => observing)
}
