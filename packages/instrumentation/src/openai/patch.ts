import { attempt } from '@svc/core/attempt'
import { exportOf } from '../gen-ai/read.ts'
import { getMember, patchMethods } from '../patch/patch-methods.ts'
import { patchClient } from '../stainless/patch.ts'
import { wrappers } from './instrument.ts'

/** Patches the client, its helpers, and the runner for responses, which is in a file of its own. */
export function patchOpenAI(exports: unknown): boolean {
  attempt('follow helpers', () => {
    const chats = [['Chat'], ['Beta', 'Chat']].map((path) => getMember(exportOf(exports, 'OpenAI'), ...path))
    for (const chat of chats) patchMethods(getMember(chat, 'Completions'), ['runTools', 'stream'], wrappers)
    patchMethods(getMember(exportOf(exports, 'OpenAI'), 'Responses'), ['stream'], wrappers)
    patchMethods(exportOf(exports, 'ResponsesToolRunner'), ['iterate', 'prepareFunction'], wrappers)
  })
  return patchClient(exportOf(exports, 'OpenAI'), wrappers)
}

/**
 * Instruments every client of the `openai` package (4.19 to 7.x, including `AzureOpenAI` and other subclasses): chat
 * completions, responses, embeddings, completions, images, transcriptions and speech become spans of the global tracer
 * provider, with the attributes of the OpenTelemetry GenAI conventions. The values that the application gets from the
 * library do not change. Never throws.
 *
 * @param exports the result of `import * as openai from 'openai'` or `require('openai')`
 * @returns whether there was a client class that was not instrumented yet
 */
export function instrumentOpenAI(exports: unknown): boolean {
  return attempt('instrument openai', () => patchOpenAI(exports)) ?? false
}
