import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import type { RequestContent } from '../gen-ai/content.ts'
import { moreParameters, type NumberTable, numbersOf, stopsOf } from '../gen-ai/parameters.ts'
import { textPart } from '../gen-ai/parts.ts'
import { asName, asRecord, defined, type Fields } from '../gen-ai/read.ts'
import { translated } from '../gen-ai/reader.ts'
import { serverAttributes } from '../gen-ai/server.ts'
import { textsOf } from '../gen-ai/text-question.ts'
import { embeddings as openaiEmbeddings } from '../openai/embeddings.ts'
import type { MethodSpec, RequestInfo } from '../patch/method-spec.ts'
import { observing as observingMethods } from '../patch/wrap-method.ts'
import { chat, picturesIn, usageInWords } from './words.ts'

const embeddings = translated(openaiEmbeddings, {
  request: (request) => request,
  answer: (response) => ({ model: response.model, usage: usageInWords(response) }),
})

const METHODS: readonly MethodSpec[] = [
  { name: 'chat', operation: 'chat', ask: asking(chat.question), answer: chat.answer, listen: chat.listen },
  {
    name: 'generate',
    operation: 'text_completion',
    ask: asking(textQuestion),
    answer: chat.answer,
    listen: chat.listen,
  },
  { name: 'embed', operation: 'embeddings', ask: asking(embeddings.question), answer: embeddings.answer },
  // The former one, which counts nothing.
  {
    name: 'embeddings',
    operation: 'embeddings',
    ask: asking((asked) => textsOf(textQuestion(asked))),
    answer: () => ({}),
  },
]

/** What observes the calls of `ollama`. */
export const observing = observingMethods('@svc/instrumentation-ollama', METHODS)

const NUMBERS: NumberTable = Object.entries({
  [GEN_AI.REQUEST_MAX_TOKENS]: ['num_predict'],
  [GEN_AI.REQUEST_TEMPERATURE]: ['temperature'],
  [GEN_AI.REQUEST_TOP_P]: ['top_p'],
  [GEN_AI.REQUEST_TOP_K]: ['top_k'],
  [GEN_AI.REQUEST_FREQUENCY_PENALTY]: ['frequency_penalty'],
  [GEN_AI.REQUEST_PRESENCE_PENALTY]: ['presence_penalty'],
  [GEN_AI.REQUEST_SEED]: ['seed'],
})

function asking(question: (request: Fields) => RequestContent) {
  return (client: Fields, [request]: readonly unknown[]): RequestInfo => {
    const asked = asRecord(request)
    const { host } = asRecord(client.config)
    return {
      model: asName(asked.model),
      attributes: { ...serverAttributes(client, 'ollama', host), ...parametersOf(asked) },
      question: () => question(asked),
    }
  }
}

function parametersOf({ stream, format, think, options }: Fields): Attributes {
  const asked = asRecord(options)
  return defined({
    ...numbersOf(asked, NUMBERS),
    [GEN_AI.REQUEST_STREAM]: stream === true ? true : undefined,
    [GEN_AI.REQUEST_STOP_SEQUENCES]: stopsOf(asked.stop),
    [GEN_AI.REQUEST_REASONING_LEVEL]: asName(think),
    [GEN_AI.OUTPUT_TYPE]: format ? 'json' : undefined,
    ...moreParameters({}, format),
  })
}

function textQuestion({ prompt, system, images }: Fields): RequestContent {
  return {
    ...(system ? { instructions: [textPart(system)] } : {}),
    messages: [{ role: 'user', parts: [textPart(prompt), ...picturesIn(images)] }],
  }
}
