import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import type { RequestContent, ResponseContent } from '../gen-ai/content.ts'
import { moreParameters, type NumberTable, numbersOf, stopsOf } from '../gen-ai/parameters.ts'
import { asArray, asName, asNumber, asRecord, asString, defined, type Fields } from '../gen-ai/read.ts'
import { serverAttributes } from '../gen-ai/server.ts'
import type { MethodSpec, RequestInfo } from '../patch/method-spec.ts'

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
export function asking(question: (request: Fields) => RequestContent, more: Attributes = {}) {
  return (client: Fields, [request, options]: readonly unknown[]): RequestInfo => {
    const asked = asRecord(request)
    const own = asRecord(client._options)
    const { type, schema, jsonSchema } = asRecord(asked.responseFormat)
    const choices = asNumber(asked.numGenerations)
    return {
      model: asName(asked.model),
      attributes: defined({
        ...serverAttributes(client, 'cohere', own.baseUrl ?? own.environment),
        ...numbersOf(asked, NUMBERS),
        [GEN_AI.REQUEST_STOP_SEQUENCES]: stopsOf(asked.stopSequences ?? asked.endSequences),
        [GEN_AI.REQUEST_CHOICE_COUNT]: choices === 1 ? undefined : choices,
        [GEN_AI.OUTPUT_TYPE]: type === 'json_object' ? 'json' : undefined,
        [GEN_AI.CONVERSATION_ID]: asName(asked.conversationId),
        ...moreParameters(
          {
            tool_choice: asName(asked.toolChoice)?.toLowerCase(),
            logprobs: asked.logprobs,
            thinking_budget: asRecord(asked.thinking).tokenBudget,
          },
          jsonSchema ?? schema,
        ),
        ...more,
      }),
      question: () => question(asked),
      signal: asRecord(options).abortSignal ?? null,
      secrets: () => [own.token, own.apiKey].flatMap((key) => asString(key) ?? []),
    }
  }
}

/** Both versions ask alike. The vectors are never recorded; pictures come as `data:` URIs and are left out. */
export const embed: MethodSpec = {
  name: 'embed',
  operation: 'embeddings',
  ask: asking(({ texts }) => {
    const said = asArray(texts)
    return said.length > 0 ? { input: said.length === 1 ? said[0] : said } : {}
  }),
  answer: embedAnswer,
}

function embedAnswer({ id, meta }: Fields): ResponseContent {
  const { inputTokens } = asRecord(asRecord(meta).billedUnits)
  return { id: asName(id), usage: { input: asNumber(inputTokens), output: undefined } }
}

/** In newer versions a method puts its promise into another with helpers, and what stands behind it does the work. */
export function withBehind(methods: readonly MethodSpec[]): readonly MethodSpec[] {
  const behind = methods.map(({ name, answer, ...method }) => ({
    ...method,
    name: `__${name}`,
    answer: ({ data }: Fields) => answer(asRecord(data)),
    streamIn: ({ data }: Fields) => data,
  }))
  return [...methods, ...behind]
}
