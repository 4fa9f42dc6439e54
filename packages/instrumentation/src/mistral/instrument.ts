import { attempt } from '@svc/core/attempt'
import { fieldsOf } from '../calls/read.ts'
import { observing as observingMethods } from '../methods/observed.ts'
import { patchLibrary } from '../places.ts'
import { METHODS } from './calls.ts'

/** What observes the calls of `@mistralai/mistralai`. */
export const observing = observingMethods('@svc/instrumentation-mistral', METHODS)

/**
 * Makes every client of `@mistralai/mistralai` record its chats (those of agents, too), its completions of code and its
 * embeddings as spans of the global tracer provider. Never throws.
 *
 * @param exports what `import * as mistral from '@mistralai/mistralai'` or `require('@mistralai/mistralai')` gave
 * @returns whether there was a class that was not instrumented yet
 */
export function instrumentMistral(exports: unknown): boolean {
  const classes = attempt('find the classes of @mistralai/mistralai', () => classesIn(exports))
  return patchLibrary('mistral', classes, () => observing)
}

/** The package exports a class that makes one of each. */
function classesIn(exports: unknown): object {
  const { Mistral } = fieldsOf(exports)
  if (typeof Mistral !== 'function') return {}
  const { agents, chat, fim, embeddings } = fieldsOf(Reflect.construct(Mistral, [{ apiKey: 'none' }]))
  return {
    Agents: fieldsOf(agents).constructor,
    Chat: fieldsOf(chat).constructor,
    Fim: fieldsOf(fim).constructor,
    Embeddings: fieldsOf(embeddings).constructor,
  }
}
