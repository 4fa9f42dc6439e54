import { patchLibrary } from '../places.ts'
import { observing } from './library.ts'

export { observing } from './library.ts'

/**
 * Makes every client of the `openai` package (4.19 up to 7.x; `AzureOpenAI` and other subclasses included) record its
 * chat completions, responses, embeddings, completions, images, transcriptions and speech as spans of the global tracer
 * provider, with the attributes of the OpenTelemetry GenAI conventions. What the application gets from the library stays what it is. Never throws.
 *
 * @param exports what `import * as openai from 'openai'` or `require('openai')` gave
 * @returns whether there was a client class that was not instrumented yet
 */
export function instrumentOpenAI(exports: unknown): boolean {
  return patchLibrary('openai', exports, () => observing)
}
