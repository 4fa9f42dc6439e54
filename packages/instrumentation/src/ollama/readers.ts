import type { Attributes } from '@opentelemetry/api'
import type { Part } from '../gen-ai/content.ts'
import { extraParameters } from '../gen-ai/parameters.ts'
import { asArray, asRecord, asString, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { type Reader, translateReader, withoutEmptyMessages } from '../gen-ai/reader.ts'
import { chat as openaiChat } from '../openai/chat.ts'
import { embeddings as openaiEmbeddings } from '../openai/embeddings.ts'

// Translates Ollama's API into Chat Completions.

/** `chat`, and `generate`, which has no messages and returns a text. */
export const chat: Reader = translateReader(openaiChat, {
  translateRequest: toOpenAiRequest,
  readExtraParameters: readSchema,
  translateResponse: (body) => createLineTranslator()(body),
  createEventTranslator: createLineTranslator,
  // A response without output, such as that of a request to load the model, has no message.
  adjustResponse: withoutEmptyMessages,
})

/** Vectors are not read. */
export const embed: Reader = translateReader(openaiEmbeddings, {
  translateRequest: (body) => ({ ...toOpenAiParameters(body), input: body.input }),
  readExtraParameters: readSchema,
  translateResponse: (response) => ({ model: response.model, usage: toOpenAiUsage(response) }),
})

function toOpenAiRequest({ messages, tools, ...body }: Fields): Fields {
  const translated = asArray(messages).map((message) => toOpenAiMessage(asRecord(message)))
  return { ...toOpenAiParameters(body), messages: translated, tools }
}

function toOpenAiParameters({ stream, format, think, options }: Fields): Fields {
  const { num_predict, ...modelOptions } = asRecord(options)
  const response_format = format ? { type: 'json' } : undefined
  return { ...modelOptions, max_tokens: num_predict, stream, reasoning_effort: think, response_format }
}

function readSchema({ format }: Fields): Attributes {
  return extraParameters({}, format)
}

function toOpenAiMessage({ role, content, thinking, tool_calls, images, tool_name }: Fields): Fields {
  if (role === 'tool') return { role, content, tool_name }
  const textParts = asString(content) ? [{ type: 'text', text: content }] : []
  return { role, content: [...textParts, ...toImageParts(images)], reasoning_content: thinking, tool_calls }
}

/** Images are bytes, which are not recorded. */
export function toImageParts(images: unknown): Part[] {
  return asArray(images).map(() => ({ type: 'blob', modality: 'image' }))
}

/** Creates a translator for the lines of one stream; a whole response is one line. */
function createLineTranslator(): (line: Fields) => Fields {
  let calls = 0
  return (line) => {
    const { model, response, done, done_reason } = line
    const { content, thinking, tool_calls } = line.message ? asRecord(line.message) : { ...line, content: response }
    const message = defined({
      content: asString(content) || undefined,
      reasoning_content: thinking,
      // Tool calls arrive whole, each a new one.
      tool_calls: tool_calls
        ? asArray(tool_calls).map((call) => ({ ...toOpenAiToolCall(asRecord(call)), index: calls++ }))
        : undefined,
    })
    // Old servers send no reason.
    const finish_reason = done_reason ?? (done === true ? true : undefined)
    return { model, choices: [{ message, delta: message, finish_reason }], usage: toOpenAiUsage(line) }
  }
}

/** Arguments in a stream are text. */
function toOpenAiToolCall({ id, function: called }: Fields): Fields {
  const { name, arguments: input } = asRecord(called)
  return { id, function: { name, arguments: isObject(input) ? JSON.stringify(input) : input } }
}

function toOpenAiUsage({ prompt_eval_count, eval_count }: Fields): Fields {
  return { prompt_tokens: prompt_eval_count, completion_tokens: eval_count }
}
