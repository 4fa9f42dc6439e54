import { exportOf } from '../gen-ai/read.ts'
import { patchClient } from '../stainless/patch.ts'
import { createClientWrappers } from '../stainless/wrap-client.ts'
import { asyncChat } from './async-chat.ts'
import { batches } from './batches.ts'
import { chat } from './chat.ts'
import { completions } from './completions.ts'
import { embeddings } from './embeddings.ts'
import { images } from './images.ts'
import { responses } from './responses.ts'
import { speech } from './speech.ts'
import { transcriptions } from './transcriptions.ts'

export const patchCerebras = createPatch('Cerebras', 'cerebras', 'cerebras')
export const patchGroq = createPatch('Groq', 'groq', 'groq')
export const patchPerplexity = createPatch('Perplexity', 'perplexity', 'perplexity')
export const patchTogether = createPatch('Together', 'together', 'together_ai')

/**
 * Patches a client that Stainless generates for an API compatible with OpenAI's.
 *
 * @param client the name of the class that is exported
 * @param name of the library
 * @param provider `gen_ai.provider.name`
 */
function createPatch(client: string, name: string, provider: string) {
  return (exports: unknown): boolean => {
    const scope = `@svc/instrumentation-${name}`
    const operations = [asyncChat, chat, responses, embeddings, completions, images, transcriptions, speech, batches]
    return patchClient(exportOf(exports, client), createClientWrappers({ scope, provider, operations }))
  }
}
