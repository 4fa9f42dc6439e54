import { asName, asRecord, asString, type Fields } from '../gen-ai/read.ts'
import type { Reader } from '../gen-ai/reader.ts'
import { serverAttributes } from '../gen-ai/server.ts'
import type { MethodSpec, RequestInfo } from '../patch/method-spec.ts'
import { observing as observingMethods } from '../patch/wrap-method.ts'
import { chat, embeddings } from './words.ts'

/** What observes the calls of `@openrouter/sdk`. */
export const observing = observingMethods('@svc/instrumentation-openrouter', [
  methodOf('send', chat),
  methodOf('generate', embeddings),
])

function methodOf(name: string, reader: Reader): MethodSpec {
  return {
    name,
    operation: reader.name,
    ask: (client, args) => ask(client, args, reader),
    answer: reader.answer,
    listen: reader.listen,
  }
}

function ask(client: Fields, [request, options]: readonly unknown[], reader: Reader): RequestInfo {
  const asked = asRecord(request)
  // Each version has another name for the body, and the oldest none.
  const { chatRequest, chatGenerationParams, requestBody } = asked
  const body = asRecord(chatRequest ?? chatGenerationParams ?? requestBody ?? asked)
  const { signal, fetchOptions } = asRecord(options)
  const { apiKey } = asRecord(client._options)
  return {
    model: asName(body.model),
    attributes: {
      ...serverAttributes(client, 'openrouter', client._baseURL === undefined ? undefined : String(client._baseURL)),
      ...reader.parameters(body),
    },
    question: () => reader.question(body),
    signal: asRecord(fetchOptions).signal ?? signal ?? null,
    secrets: () => [apiKey].flatMap((key) => asString(key) ?? []),
  }
}
