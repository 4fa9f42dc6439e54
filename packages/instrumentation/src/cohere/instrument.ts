import { attempt } from '@svc/core/attempt'
import { GEN_AI } from '@svc/core/attributes'
import { type Fields, fieldsOf, listOf } from '../calls/read.ts'
import type { Question } from '../calls/result.ts'
import { observing as observingV1 } from '../cohere-v1/instrument.ts'
import { observing as observingMethods } from '../methods/observed.ts'
import { patchLibrary } from '../places.ts'
import { asking, embed, withBehind } from './asking.ts'
import { ChatListener } from './chat-listener.ts'
import { answerOf, messageOf } from './messages.ts'

/** What observes the calls of the second version of the API of `cohere-ai`. */
export const observing = observingMethods(
  '@svc/instrumentation-cohere',
  withBehind([
    { name: 'chat', operation: 'chat', ask: asking(chatQuestion), answer: answerOf },
    {
      name: 'chatStream',
      operation: 'chat',
      ask: asking(chatQuestion, { [GEN_AI.REQUEST_STREAM]: true }),
      answer: answerOf,
      listen: () => new ChatListener(),
    },
    embed,
  ]),
)

/**
 * Makes every client of `cohere-ai` (`CohereClient`, `CohereClientV2`, `client.v2`) record its chats, completions and
 * embeddings as spans of the global tracer provider. Never throws.
 *
 * @param exports what `import * as cohere from 'cohere-ai'` or `require('cohere-ai')` gave, or a file with a class
 * @returns whether there was a class that was not instrumented yet
 */
export function instrumentCohere(exports: unknown): boolean {
  const { CohereClient } = fieldsOf(exports)
  const client = attempt('find the client of cohere-ai', () => clientIn(fieldsOf(exports)))
  const first = patchLibrary('cohere-v1', { CohereClient }, () => observingV1)
  return patchLibrary('cohere', { V2Client: client }, () => observing) || first
}

/** The package exports a class that makes one of those we look for. */
function clientIn({ V2Client, V2, CohereClientV2 }: Fields): unknown {
  if (V2Client || V2 || typeof CohereClientV2 !== 'function') return V2Client ?? V2
  const { clientV2 } = fieldsOf(Reflect.construct(CohereClientV2, [{ token: 'none' }]))
  return fieldsOf(clientV2).constructor
}

function chatQuestion({ messages, tools }: Fields): Question {
  return { messages: listOf(messages).map((message) => messageOf(fieldsOf(message))), tools }
}
