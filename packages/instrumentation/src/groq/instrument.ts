import { attempt } from '@svc/core/attempt'
import { exportOf } from '../calls/exports.ts'
import { chat } from '../openai/chat.ts'
import { completions } from '../openai/completions.ts'
import { embeddings } from '../openai/embeddings.ts'
import { images } from '../openai/images.ts'
import type { Library } from '../stainless/operation.ts'
import { patchClient } from '../stainless/patch.ts'

const groq: Library = {
  scope: '@svc/instrumentation-groq',
  provider: 'groq',
  operations: [chat, embeddings, completions, images],
}

/**
 * Makes every client of `groq-sdk` record its chat completions, completions, embeddings and images as spans of the global
 * tracer provider: its API is OpenAI's. Never throws.
 *
 * @param exports what `import * as groq from 'groq-sdk'` or `require('groq-sdk')` gave
 * @returns whether there was a client class that was not instrumented yet
 */
export function instrumentGroq(exports: unknown): boolean {
  return attempt('instrument groq-sdk', () => patchClient(exportOf(exports, 'Groq'), groq)) ?? false
}
