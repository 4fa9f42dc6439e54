import { asName, asRecord, asString, type Fields } from '../gen-ai/read.ts'
import type { Reader } from '../gen-ai/reader.ts'
import { serverAttributes } from '../gen-ai/server.ts'
import { chat } from '../openai/chat.ts'
import type { MethodSpec, RequestInfo } from '../patch/method-spec.ts'
import type { Wrappers } from '../patch/patch-methods.ts'
import { observing as observingMethods } from '../patch/wrap-method.ts'
import { features, text } from './words.ts'

const ROUTER = 'https://router.huggingface.co'

/** What observes the tasks of `@huggingface/inference`. */
export const observing: Wrappers = observingMethods('@svc/instrumentation-huggingface', [
  task('chatCompletion', chat),
  { ...task('chatCompletionStream', chat), listen: chat.listen, isLazy: true },
  task('textGeneration', text),
  { ...task('textGenerationStream', text), listen: text.listen, isLazy: true },
  task('featureExtraction', features),
])

function task(name: string, reader: Reader): MethodSpec {
  return {
    name,
    operation: reader.name,
    ask: (_, [asked, options]) => ask(asRecord(asked), asRecord(options), reader, name.endsWith('Stream')),
    answer: reader.answer,
  }
}

function ask(asked: Fields, { signal }: Fields, reader: Reader, isStreamed: boolean): RequestInfo {
  const { model, endpointUrl, accessToken } = asked
  return {
    model: asName(model),
    attributes: {
      ...serverAttributes({}, 'huggingface', asString(endpointUrl) ?? ROUTER),
      ...reader.parameters(isStreamed ? { ...asked, stream: true } : asked),
    },
    question: () => reader.question(asked),
    signal: signal ?? null,
    secrets: () => [accessToken].flatMap((key) => asString(key) ?? []),
  }
}
