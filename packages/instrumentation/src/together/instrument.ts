import { chat } from '../openai/chat.ts'
import { completions } from '../openai/completions.ts'
import { embeddings } from '../openai/embeddings.ts'
import { images } from '../openai/images.ts'
import { speech } from '../openai/speech.ts'
import { transcriptions } from '../openai/transcriptions.ts'
import { patchLibrary } from '../places.ts'
import { observing as observingClient } from '../stainless/observed.ts'

/** What observes the calls of `together-ai`. */
export const observing = observingClient({
  scope: '@svc/instrumentation-together',
  provider: 'together_ai',
  operations: [chat, embeddings, completions, images, transcriptions, speech],
})

/**
 * Makes every client of `together-ai` record its chat completions, completions, embeddings, images, transcriptions and speech
 * as spans of the global tracer provider: its API is OpenAI's. Never throws.
 *
 * @param exports what `import * as together from 'together-ai'` or `require('together-ai')` gave
 * @returns whether there was a client class that was not instrumented yet
 */
export function instrumentTogether(exports: unknown): boolean {
  return patchLibrary('together', exports, () => observing)
}
