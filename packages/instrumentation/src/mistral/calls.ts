import { GEN_AI } from '@svc/core/attributes'
import type { RequestContent } from '../gen-ai/content.ts'
import { textPart } from '../gen-ai/parts.ts'
import { asName, asRecord, asString, defined, type Fields } from '../gen-ai/read.ts'
import { type Reader, translated } from '../gen-ai/reader.ts'
import { serverAttributes } from '../gen-ai/server.ts'
import { chat as openaiChat } from '../openai/chat.ts'
import { embeddings as openaiEmbeddings } from '../openai/embeddings.ts'
import type { MethodSpec, RequestInfo } from '../patch/method-spec.ts'
import { answerInWords, eventsInWords, requestInWords, usageInWords } from './words.ts'

const chat = translated(openaiChat, { request: requestInWords, answer: answerInWords, events: eventsInWords })

/** A text in the middle: what stands before it is the prompt, and what stands after it may be given as well. */
const fim: Reader = { ...chat, name: 'text_completion', question: fimQuestion }

const embeddings = translated(openaiEmbeddings, {
  request: ({ inputs, outputDimension }) => ({ input: inputs, dimensions: outputDimension }),
  answer: ({ model, usage }) => ({ model, usage: usageInWords(usage) }),
})

/** The methods of `client.chat` and `client.agents`, of `client.embeddings`, and, with `fim` in front, of `client.fim`. */
export const METHODS: readonly MethodSpec[] = [
  method('complete', chat, false),
  method('parse', chat, false),
  method('stream', chat, true),
  method('parseStream', chat, true),
  method('fimComplete', fim, false),
  method('fimStream', fim, true),
  method('create', embeddings, false),
]

function method(name: string, reader: Reader, streamed: boolean): MethodSpec {
  const ask = (client: Fields, [request, options]: readonly unknown[]): RequestInfo => {
    const asked = asRecord(request)
    const { apiKey } = asRecord(client._options)
    return {
      model: asName(asked.model),
      attributes: defined({
        ...serverAttributes(client, 'mistral_ai', addressOf(client)),
        ...reader.parameters(asked),
        [GEN_AI.REQUEST_STREAM]: streamed ? true : undefined,
      }),
      question: () => reader.question(asked),
      signal: asRecord(asRecord(options).fetchOptions).signal ?? null,
      secrets: () => (asString(apiKey) ? [String(apiKey)] : []),
    }
  }
  return { name, operation: reader.name, ask, answer: reader.answer, ...(streamed ? { listen: reader.listen } : {}) }
}

function addressOf({ _baseURL, baseURL }: Fields): string | undefined {
  const url = _baseURL ?? baseURL
  return url ? String(url) : undefined
}

function fimQuestion({ prompt, suffix }: Fields): RequestContent {
  const after = suffix ? [{ type: 'suffix', content: suffix }] : []
  return { messages: [{ role: 'user', parts: [textPart(prompt), ...after] }] }
}
