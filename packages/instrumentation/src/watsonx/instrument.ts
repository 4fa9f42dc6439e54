import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import { parseJson } from '../gen-ai/parts.ts'
import { asRecord, asString } from '../gen-ai/read.ts'
import { type ClientSpec, createMethodSpec } from '../patch/reader-method.ts'
import { wrapMethods } from '../patch/wrap-method.ts'
import { chat, embeddings, text } from './readers.ts'

/** The methods that call a model, with the kind of their protocol. */
const METHODS = {
  textChat: 'chat',
  textChatStream: 'chat',
  deploymentsTextChat: 'chat',
  deploymentsTextChatStream: 'chat',
  generateText: 'text',
  generateTextStream: 'text',
  deploymentGenerateText: 'text',
  deploymentGenerateTextStream: 'text',
  embedText: 'embeddings',
} as const

const READERS = { chat, embeddings, text }

const client: ClientSpec = {
  provider: 'ibm.watsonx.ai',
  readAddress: ({ baseOptions }) => asRecord(baseOptions).serviceUrl,
  readSecrets: ({ authenticator }) => [asRecord(authenticator).apikey, asRecord(authenticator).bearerToken],
  readSignal: (_, { signal }) => signal,
  // Deployments have ids of their own.
  readModel: ({ modelId, idOrName }) => modelId ?? idOrName,
}

/** Wraps the methods of `@ibm-cloud/watsonx-ai`. */
export const wrappers = wrapMethods(
  '@svc/instrumentation-watsonx',
  Object.entries(METHODS).map(([name, kind]) => ({
    ...createMethodSpec(client, name, READERS[kind], name.endsWith('Stream') ? { streams: true } : {}),
    createAccumulator: () => accumulateLines(READERS[kind].createAccumulator()),
  })),
)

/** Accumulates a stream of events or, without the option `returnObject`, of their lines. */
function accumulateLines(accumulator: StreamAccumulator): StreamAccumulator {
  return {
    add(item) {
      const line = asString(item)
      const data = line === undefined ? asRecord(item).data : parseJson(/^data: (.*)/.exec(line)?.[1])
      return accumulator.add(asRecord(data))
    },
    get isComplete() {
      return accumulator.isComplete
    },
    get response() {
      return accumulator.response
    },
  }
}
