import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { type NumberTable, numbersOf, stopsOf } from '../calls/parameters.ts'
import { textPart } from '../calls/parts.ts'
import { defined, type Fields, fieldsOf, listOf, nameOf, numberOf, textOf } from '../calls/read.ts'
import type { Answer, Question } from '../calls/result.ts'
import { serverAttributes } from '../calls/server.ts'
import type { Asked, ObservedMethod } from '../methods/method.ts'

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

/** Reads the request of a method, in either version of the API. */
export function asking(question: (request: Fields) => Question, more: Attributes = {}) {
  return (client: Fields, [request, options]: readonly unknown[]): Asked => {
    const asked = fieldsOf(request)
    const own = fieldsOf(client._options)
    const { type } = fieldsOf(asked.responseFormat)
    const choices = numberOf(asked.numGenerations)
    return {
      model: nameOf(asked.model),
      attributes: defined({
        ...serverAttributes(client, 'cohere', own.baseUrl ?? own.environment),
        ...numbersOf(asked, NUMBERS),
        [GEN_AI.REQUEST_STOP_SEQUENCES]: stopsOf(asked.stopSequences ?? asked.endSequences),
        [GEN_AI.REQUEST_CHOICE_COUNT]: choices === 1 ? undefined : choices,
        [GEN_AI.OUTPUT_TYPE]: type === 'json_object' ? 'json' : undefined,
        [GEN_AI.CONVERSATION_ID]: nameOf(asked.conversationId),
        ...more,
      }),
      question: () => question(asked),
      signal: fieldsOf(options).abortSignal ?? null,
      secrets: () => [own.token, own.apiKey].flatMap((key) => textOf(key) ?? []),
    }
  }
}

/** Both versions ask alike. The vectors are never recorded; pictures come as `data:` URIs and are left out. */
export const embed: ObservedMethod = {
  name: 'embed',
  operation: 'embeddings',
  ask: asking(({ texts }) => {
    const said = listOf(texts).map((text) => ({ role: 'user', parts: [textPart(text)] }))
    return said.length > 0 ? { messages: said } : {}
  }),
  answer: embedAnswer,
}

function embedAnswer({ id, meta }: Fields): Answer {
  const { inputTokens } = fieldsOf(fieldsOf(meta).billedUnits)
  return { id: nameOf(id), usage: { input: numberOf(inputTokens), output: undefined } }
}

/** In newer versions a method puts its promise into another with helpers, and what stands behind it does the work. */
export function withBehind(methods: readonly ObservedMethod[]): readonly ObservedMethod[] {
  const behind = methods.map(({ name, answer, ...method }) => ({
    ...method,
    name: `__${name}`,
    answer: ({ data }: Fields) => answer(fieldsOf(data)),
    streamIn: ({ data }: Fields) => data,
  }))
  return [...methods, ...behind]
}
