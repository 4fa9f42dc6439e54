import type { Attributes } from '@opentelemetry/api'
import { own } from '@svc/core/own'
import type { ResponseContent } from '../gen-ai/content.ts'
import { extraParameters } from '../gen-ai/parameters.ts'
import { asArray, asName, asRecord, asString, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { type Reader, type Translation, translateReader, withoutEmptyMessages } from '../gen-ai/reader.ts'
import { withWireNames } from '../gen-ai/wire.ts'
import { chat as openaiChat } from '../openai/chat.ts'
import { completions } from '../openai/completions.ts'
import { embeddings as openaiEmbeddings } from '../openai/embeddings.ts'
import { toOpenAiAssistantMessage, toWireMessage } from '../openai/wire.ts'

// Translates Cohere's API into OpenAI's. Fields that a version of the library does not know keep their wire names,
// which Bedrock uses as well: both are read.

/** `chat` of version 2 of the API. */
export const chat: Reader = translateReader(openaiChat, {
  ...forCohere((body) => ({
    messages: [...readDocuments(body), ...asArray(body.messages).map(toOpenAiMessage)],
    tools: body.tools,
  })),
  translateResponse: toChatResponse,
  createEventTranslator: () => toChatChunk,
})

/** `chat` of version 1 (Command R): the history is separate from the last message, the response is a text. */
export const command: Reader = translateReader(openaiChat, {
  ...forCohere((body) => ({ messages: [...readDocuments(body), ...readConversation(body)], tools: body.tools })),
  translateResponse: toCommandResponse,
  createEventTranslator: () => toCommandChunk,
})

/** `generate`: text completion. */
export const generate: Reader = translateReader(completions, {
  ...forCohere(({ prompt }) => ({ prompt })),
  translateResponse: ({ id, generations, meta }) => ({ id, choices: toChoices(generations), usage: toUsage(meta) }),
  createEventTranslator: () => toGenerateChunk,
})

/** `embed` of both versions. Vectors are not read; images are `data:` URIs and left out. */
export const embeddings: Reader = translateReader(openaiEmbeddings, {
  ...forCohere(({ texts, output_dimension }) => ({ input: texts, dimensions: output_dimension })),
  translateResponse: ({ id, meta }) => ({ id, usage: toUsage(meta) }),
})

/** @param content reads the content; parameters have the same names in all methods */
function forCohere(content: (body: Fields) => Fields): Omit<Translation, 'translateResponse'> {
  return {
    translateRequest(body) {
      const { p, k, stop_sequences, end_sequences, num_generations, response_format, ...request } = withWireNames(body)
      return {
        ...request,
        ...content(request),
        top_p: p,
        top_k: k,
        n: num_generations,
        stop: stop_sequences ?? end_sequences,
        tool_choice: asName(request.tool_choice)?.toLowerCase(),
        conversation: request.conversation_id,
        response_format: asRecord(response_format).type === 'json_object' ? { type: 'json_object' } : undefined,
      }
    },
    readExtraParameters: parameters,
    adjustResponse: (response) => withFailure(withoutEmptyMessages(response)),
  }
}

/** An answer may say that it failed by its finish reason alone. */
function withFailure(response: ResponseContent): ResponseContent {
  const reason = response.finishReasons?.find((each) => FAILURES.test(each))
  return reason === undefined
    ? response
    : { ...response, failure: { message: 'the response failed', ...response.failure, type: reason } }
}

const FAILURES = /^(ERROR|TIMEOUT)/

function parameters(body: Fields): Attributes {
  const { thinking, response_format } = withWireNames(body)
  const { json_schema, schema } = withWireNames(asRecord(response_format))
  return extraParameters({ thinking_budget: withWireNames(asRecord(thinking)).token_budget }, json_schema ?? schema)
}

/** What the model answers from stands beside the messages. */
function readDocuments({ documents }: Fields): Fields[] {
  const content = asArray(documents).map((document) => ({ type: 'document', document }))
  return content.length > 0 ? [{ role: 'user', content }] : []
}

function toOpenAiMessage(message: unknown): Fields {
  return withReasoning(toWireMessage(message))
}

/** Reads the model's plan, its text before tool calls, as reasoning. */
function withReasoning({ tool_plan, reasoning_content, ...message }: Fields): Fields {
  const thoughts = [tool_plan, reasoning_content].flatMap((thought) => asString(thought) || [])
  return defined({ ...message, reasoning_content: thoughts.join('') || undefined })
}

function toChatResponse(response: Fields): Fields {
  const { id, message, finish_reason, usage } = withWireNames(response)
  return {
    id,
    choices: [{ message: withReasoning(toOpenAiAssistantMessage(message)), finish_reason }],
    citations: asRecord(message).citations,
    usage: toUsage(usage),
  }
}

/** Each event has one delta of a message. */
function toChatChunk({ id, index, delta }: Fields): Fields {
  const { message, finish_reason, usage, error } = withWireNames(asRecord(delta))
  const { content, tool_plan, tool_calls, citations: annotations } = withWireNames(asRecord(message))
  const { text, thinking } = asRecord(content)
  const calls = isObject(tool_calls) && !Array.isArray(tool_calls) ? [{ ...tool_calls, index }] : undefined
  const response = defined({ content: text, reasoning_content: thinking ?? tool_plan, tool_calls: calls, annotations })
  const chunk = createChunk(id, response, finish_reason, toUsage(usage))
  return error ? { ...chunk, error: { message: error } } : chunk
}

/** Tool calls have no ids: a tool result repeats its call, which may appear nowhere else. */
function readConversation({ preamble, chat_history, message, tool_results }: Fields): Fields[] {
  const before = asArray(chat_history).flatMap((earlier) => {
    const { role, message, tool_calls, tool_results } = withWireNames(asRecord(earlier))
    const toolMessages = toToolMessages(tool_results)
    if (toolMessages.length > 0 && !message) return toolMessages
    return [
      { role: own(ROLES, asName(role) ?? '') ?? 'user', content: message, tool_calls: toToolCalls(tool_calls) },
      ...toolMessages,
    ]
  })
  const toolMessages = toToolMessages(tool_results)
  const calls = toolMessages.length > 0 && !before.at(-1)?.tool_calls ? toToolCalls(readCalls(tool_results)) : undefined
  return [
    ...(preamble ? [{ role: 'system', content: preamble }] : []),
    ...before,
    ...(message ? [{ role: 'user', content: message }] : []),
    ...(calls ? [{ role: 'assistant', tool_calls: calls }] : []),
    ...toolMessages,
  ]
}

const ROLES: Readonly<Record<string, string>> = { USER: 'user', CHATBOT: 'assistant', SYSTEM: 'system', TOOL: 'tool' }

function toToolMessages(results: unknown): Fields[] {
  return asArray(results).map((result) => {
    const { call, outputs } = asRecord(result)
    return { role: 'tool', tool_name: asRecord(call).name, content: { outputs } }
  })
}

function readCalls(results: unknown): unknown[] {
  return asArray(results).flatMap((result) => asRecord(result).call ?? [])
}

function toToolCalls(calls: unknown): Fields[] | undefined {
  if (!calls) return undefined
  return asArray(calls).map((call) => {
    const { name, parameters } = asRecord(call)
    return { type: 'function', function: { name, arguments: JSON.stringify(parameters) } }
  })
}

function toCommandResponse(response: Fields): Fields {
  const { generation_id, response_id, text, tool_calls, citations, finish_reason, meta } = withWireNames(response)
  const choices = [{ message: { content: text || undefined, tool_calls: toToolCalls(tool_calls) }, finish_reason }]
  return { id: generation_id ?? response_id, choices, citations, usage: toUsage(meta) }
}

/** The last event repeats the whole response. */
function toCommandChunk(event: Fields): Fields {
  const { event_type, text, tool_calls, citations, finish_reason, generation_id, response } = withWireNames(event)
  const { response_id, meta } = withWireNames(asRecord(response))
  const message = defined({
    content: event_type === 'text-generation' ? text : undefined,
    tool_calls: event_type === 'tool-calls-generation' ? toToolCalls(tool_calls) : undefined,
    annotations: citations,
  })
  return createChunk(generation_id ?? response_id, message, finish_reason, toUsage(meta))
}

/** The last event has the finish reasons. */
function toGenerateChunk(event: Fields): Fields {
  const { event_type, index, text, response } = withWireNames(event)
  if (event_type !== 'stream-end') return { choices: [{ index, text }] }
  const { id, generations } = asRecord(response)
  return { id, choices: toChoices(generations).map(({ text, ...ended }) => ended) }
}

function toChoices(generations: unknown): Fields[] {
  return asArray(generations).map((one, index) => {
    const { text, finish_reason } = withWireNames(asRecord(one))
    return { index, text, finish_reason }
  })
}

/** An empty usage in the last chunk avoids the warning about missing token counts: Cohere needs no option for them. */
function createChunk(id: unknown, delta: Fields, finish_reason: unknown, usage: Fields | undefined): Fields {
  return { id, choices: [{ delta, finish_reason }], usage: usage ?? (finish_reason ? {} : undefined) }
}

/** Token counts, or else the billed units. */
function toUsage(usage: unknown): Fields | undefined {
  if (!isObject(usage)) return undefined
  const { tokens, billed_units, cached_tokens } = withWireNames(usage)
  const { input_tokens, output_tokens } = withWireNames(asRecord(tokens ?? billed_units))
  return { input_tokens, output_tokens, input_tokens_details: defined({ cached_tokens }) }
}
