import type { Attributes } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { GEN_AI } from '@svc/core/attributes'
import { type NumberTable, numbersOf, stopsOf } from '../calls/parameters.ts'
import { textPart } from '../calls/parts.ts'
import { defined, type Fields, fieldsOf, listOf, nameOf, numberOf, textOf } from '../calls/read.ts'
import type { Answer, Question } from '../calls/result.ts'
import { serverAttributes } from '../calls/server.ts'
import type { Asked, ObservedMethod } from '../methods/method.ts'
import { observing as observingMethods } from '../methods/observed.ts'
import { patchLibrary } from '../places.ts'
import { ChatListener } from './chat-listener.ts'
import { answerOf, messageOf } from './messages.ts'

const METHODS: readonly ObservedMethod[] = [
  { name: 'chat', operation: 'chat', ask: asking(chatQuestion), answer: answerOf },
  {
    name: 'chatStream',
    operation: 'chat',
    ask: asking(chatQuestion, { [GEN_AI.REQUEST_STREAM]: true }),
    answer: answerOf,
    listen: () => new ChatListener(),
  },
  { name: 'embed', operation: 'embeddings', ask: asking(embedQuestion), answer: embedAnswer },
]

/** In newer versions a method puts its promise into another with helpers, and what stands behind it does the work. */
const BEHIND: readonly ObservedMethod[] = METHODS.map(({ name, answer, ...method }) => ({
  ...method,
  name: `__${name}`,
  answer: ({ data }) => answer(fieldsOf(data)),
  streamIn: ({ data }) => data,
}))

/** What observes the calls of `cohere-ai`. */
export const observing = observingMethods('@svc/instrumentation-cohere', [...METHODS, ...BEHIND])

/**
 * Makes every client of the second version of the API of `cohere-ai` (`CohereClientV2`, `client.v2`) record its chats
 * and embeddings as spans of the global tracer provider. Never throws.
 *
 * @param exports what `import * as cohere from 'cohere-ai'` or `require('cohere-ai')` gave, or the file with the class
 * @returns whether there was a class that was not instrumented yet
 */
export function instrumentCohere(exports: unknown): boolean {
  const client = attempt('find the client of cohere-ai', () => clientIn(fieldsOf(exports)))
  return patchLibrary('cohere', { V2Client: client }, () => observing)
}

/** The package exports a class that makes one of those we look for. */
function clientIn({ V2Client, V2, CohereClientV2 }: Fields): unknown {
  if (V2Client || V2 || typeof CohereClientV2 !== 'function') return V2Client ?? V2
  const { clientV2 } = fieldsOf(Reflect.construct(CohereClientV2, [{ token: 'none' }]))
  return fieldsOf(clientV2).constructor
}

const NUMBERS: NumberTable = Object.entries({
  [GEN_AI.REQUEST_MAX_TOKENS]: ['maxTokens'],
  [GEN_AI.REQUEST_TEMPERATURE]: ['temperature'],
  [GEN_AI.REQUEST_TOP_P]: ['p'],
  [GEN_AI.REQUEST_TOP_K]: ['k'],
  [GEN_AI.REQUEST_FREQUENCY_PENALTY]: ['frequencyPenalty'],
  [GEN_AI.REQUEST_PRESENCE_PENALTY]: ['presencePenalty'],
  [GEN_AI.REQUEST_SEED]: ['seed'],
  [GEN_AI.EMBEDDINGS_DIMENSION_COUNT]: ['outputDimension'],
})

function asking(question: (request: Fields) => Question, more: Attributes = {}) {
  return (client: Fields, [request, options]: readonly unknown[]): Asked => {
    const asked = fieldsOf(request)
    const own = fieldsOf(client._options)
    const { type } = fieldsOf(asked.responseFormat)
    return {
      model: nameOf(asked.model),
      attributes: defined({
        ...serverAttributes(client, 'cohere', own.baseUrl ?? own.environment),
        ...numbersOf(asked, NUMBERS),
        [GEN_AI.REQUEST_STOP_SEQUENCES]: stopsOf(asked.stopSequences),
        [GEN_AI.OUTPUT_TYPE]: type === 'json_object' ? 'json' : undefined,
        ...more,
      }),
      question: () => question(asked),
      signal: fieldsOf(options).abortSignal ?? null,
      secrets: () => [own.token, own.apiKey].flatMap((key) => textOf(key) ?? []),
    }
  }
}

function chatQuestion({ messages, tools }: Fields): Question {
  return { messages: listOf(messages).map((message) => messageOf(fieldsOf(message))), tools }
}

/** Pictures come as `data:` URIs, which say enough of themselves. */
function embedQuestion({ texts }: Fields): Question {
  const said = listOf(texts).map((text) => ({ role: 'user', parts: [textPart(text)] }))
  return said.length > 0 ? { messages: said } : {}
}

/** The vectors are never recorded. */
function embedAnswer({ id, meta }: Fields): Answer {
  const { inputTokens } = fieldsOf(fieldsOf(meta).billedUnits)
  return { id: nameOf(id), usage: { input: numberOf(inputTokens), output: undefined } }
}
