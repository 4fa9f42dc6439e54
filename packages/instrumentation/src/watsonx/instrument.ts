import { GEN_AI } from '@svc/core/attributes'
import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import { parsedJson } from '../gen-ai/parts.ts'
import { asName, asRecord, asString, defined, type Fields } from '../gen-ai/read.ts'
import type { Reader } from '../gen-ai/reader.ts'
import { serverAttributes } from '../gen-ai/server.ts'
import type { MethodSpec, RequestInfo } from '../patch/method-spec.ts'
import { observing as observingMethods } from '../patch/wrap-method.ts'
import { METHODS } from './methods.ts'
import { chat, embeddings, text } from './words.ts'

const READERS = { chat, embeddings, text }

/** What observes the calls of `@ibm-cloud/watsonx-ai`. */
export const observing = observingMethods(
  '@svc/instrumentation-watsonx',
  Object.entries(METHODS).map(([name, kind]) => methodOf(name, READERS[kind])),
)

function methodOf(name: string, reader: Reader): MethodSpec {
  const isStreamed = name.endsWith('Stream')
  return {
    name,
    operation: reader.name,
    ask: (client, [params]) => ask(client, asRecord(params), reader, isStreamed),
    answer: reader.answer,
    listen: () => listenTo(reader.listen()),
  }
}

function ask(client: Fields, params: Fields, reader: Reader, isStreamed: boolean): RequestInfo {
  const { serviceUrl } = asRecord(client.baseOptions)
  const { apikey, bearerToken } = asRecord(client.authenticator)
  return {
    // What is deployed has a name of its own.
    model: asName(params.modelId ?? params.idOrName),
    attributes: defined({
      ...serverAttributes(client, 'ibm.watsonx.ai', serviceUrl),
      ...reader.parameters(params),
      [GEN_AI.REQUEST_STREAM]: isStreamed ? true : undefined,
    }),
    question: () => reader.question(params),
    signal: params.signal ?? null,
    secrets: () => [apikey, bearerToken].flatMap((key) => asString(key) ?? []),
  }
}

/** A stream is one of events or, unless the application asks for `returnObject`, of their lines. */
function listenTo(listener: StreamAccumulator): StreamAccumulator {
  return {
    add(item) {
      const line = asString(item)
      const data = line === undefined ? asRecord(item).data : parsedJson(/^data: (.*)/.exec(line)?.[1])
      return listener.add(asRecord(data))
    },
    get complete() {
      return listener.complete
    },
    get answer() {
      return listener.answer
    },
  }
}
