import { own } from '@svc/core/own'
import { messages } from '../anthropic/messages.ts'
import { command } from '../cohere/readers.ts'
import type { Fields } from '../gen-ai/read.ts'
import { type Reader, translateReader } from '../gen-ai/reader.ts'
import { embeddings } from '../openai/embeddings.ts'
import { chat } from './chats.ts'
import { converse } from './converse.ts'
import { text } from './text.ts'

interface ModelFamily {
  /** Matches its models in any kind of id: with a region, of a profile, an ARN. */
  readonly models: RegExp
  /** Fields that only requests to this family have, for models under a custom name. */
  readonly requestFields?: readonly string[]
  /** Maps a field of the request to the protocol that it identifies. */
  readonly readers: Readonly<Record<string, Reader>>
}

/** Vectors are never recorded; their token count is in the headers as well, so the body need not be read. */
const embedded = translateReader(embeddings, {
  translateRequest: ({ inputText, texts, dimensions }) => ({ input: inputText ?? texts, dimensions }),
  translateResponse: ({ inputTextTokenCount }) => ({ usage: { prompt_tokens: inputTextTokenCount } }),
})

/** The supported model families. A new one is one row. */
const FAMILIES: readonly ModelFamily[] = [
  { models: /\banthropic\.claude/, requestFields: ['anthropic_version'], readers: { messages, prompt: text } },
  { models: /\bamazon\.nova-/, requestFields: ['schemaVersion', 'inferenceConfig'], readers: { messages: converse } },
  { models: /\bamazon\.titan-embed/, readers: { inputText: embedded, inputImage: embedded } },
  { models: /\bamazon\.titan-t/, readers: { inputText: text } },
  { models: /\bmeta\.llama/, readers: { prompt: text } },
  { models: /\b(mistral|deepseek)\./, readers: { messages: chat, prompt: text } },
  { models: /\bcohere\.embed/, readers: { texts: embedded, images: embedded, inputs: embedded } },
  { models: /\bcohere\.command/, readers: { message: command, prompt: text } },
  // AI21, Google, MiniMax, Moonshot, NVIDIA, OpenAI, Qwen, Writer, Z.AI, and models that customers import.
  { models: /(?:)/, readers: { messages: chat } },
]

export function findReader(model: string, request: Fields): Reader | undefined {
  const family = FAMILIES.find(
    ({ models, requestFields = [] }) => models.test(model) || requestFields.some((name) => name in request),
  )
  const field = Object.keys(family?.readers ?? {}).find((name) => request[name] !== undefined)
  return family && field ? own(family.readers, field) : undefined
}
