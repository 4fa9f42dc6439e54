import type { Message, Part, RequestContent, ResponseContent } from '../gen-ai/content.ts'
import { findChoiceFailure, findFailure, findFailureBeside } from '../gen-ai/failure.ts'
import { reasoningPart, referencePart, toolCallPart } from '../gen-ai/parts.ts'
import { asArray, asName, asRecord, asString, defined, type Fields } from '../gen-ai/read.ts'
import type { ModelEndpoint } from '../stainless/endpoint.ts'
import { createChatAccumulator } from './chat-stream.ts'
import { cachedContent, readRequestParameters, storedPrompt } from './parameters.ts'
import { toImageParts, toParts, toToolResponsePart } from './parts.ts'
import { findUsage, readOpenAiUsage, readPricing } from './usage.ts'

/** `chat.completions`: `create`, `parse`, `stream` and `runTools` all post to this path. */
export const chat: ModelEndpoint = {
  name: 'chat',
  path: /\/chat\/completions$/,
  readParameters: readRequestParameters,
  readRequest,
  readResponse: readChatResponse,
  createAccumulator: (read = readChatResponse) => createChatAccumulator(read),
}

function readRequest(body: Fields): RequestContent {
  const messages: Message[] = []
  const prompt = storedPrompt(body)
  if (prompt) messages.push({ role: 'user', parts: [{ type: 'prompt', ...prompt }] })
  const cached = cachedContent(body)
  if (cached !== undefined) messages.push({ role: 'user', parts: [referencePart('cached content', cached)] })
  for (const message of asArray(body.messages)) messages.push(toMessage(asRecord(message)))
  const tools = body.tools ?? body.functions
  const prompt_variables = prompt?.variables
  return {
    ...(prompt_variables === undefined ? {} : { metadata: { prompt_variables } }),
    ...(messages.length > 0 ? { messages } : {}),
    tools,
  }
}

function readChatResponse(response: Fields): ResponseContent {
  // Cerebras has the tier that it found for "auto" in a field that no other has.
  const { id, model, choices, service_tier, service_tier_used, search_results, citations } = response
  const usage = findUsage(response)
  const messages: Message[] = []
  const finishReasons: string[] = []
  let failure: ResponseContent['failure']
  let metadata: unknown
  const sources: unknown[] = []
  for (const choice of asArray(choices)) {
    const { message, delta, finish_reason } = asRecord(choice)
    failure ??= findChoiceFailure(asRecord(choice))
    const content = asRecord(message ?? delta)
    const answer = toMessage(content, 'assistant')
    metadata ??= content.provider_metadata
    sources.push(...sourcesIn(content))
    const reason = asName(finish_reason)
    if (reason) {
      answer.finish_reason = reason
      finishReasons.push(reason)
    }
    messages.push(answer)
  }
  return {
    // The first chunk of Azure has empty ones.
    id: asName(id) || undefined,
    model: asName(model) || undefined,
    finishReasons,
    messages,
    usage: readOpenAiUsage(usage),
    ...readPricing(service_tier_used ?? service_tier, usage, metadata),
    citations: [search_results, citations, sources].map(asArray).find(({ length }) => length > 0) ?? [],
    // Gateways return status 200 if the provider behind them failed, also in the middle of an answer.
    failure: messages.length === 0 ? findFailure(response) : (findFailureBeside(response) ?? failure),
  }
}

/** Those of a stream are lists, one for each chunk that has any. Azure has what it found in the user's data in a context. */
function sourcesIn({ annotations, context }: Fields): readonly unknown[] {
  return annotations || context ? [...asArray(annotations).flat(), ...asArray(asRecord(context).citations)] : []
}

// Called for every message of every call: no object is created only to be copied into another one.

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

function toMessage(message: Fields, defaultRole = 'user'): Mutable<Message> {
  const role = asName(message.role) ?? defaultRole
  const isTool = role === 'tool' || role === 'function'
  const formatted: Mutable<Message> = {
    role: isTool ? 'tool' : role,
    parts: isTool ? readToolParts(message) : readMessageParts(message),
  }
  const name = asName(message.name)
  if (name !== undefined) formatted.name = name
  return formatted
}

function readToolParts({ tool_call_id, content, tool_name }: Fields): Part[] {
  return [toToolResponsePart(tool_call_id, content, tool_name)]
}

function readMessageParts(message: Fields): Part[] {
  const { content, reasoning_content, reasoning, reasoning_details, reasoning_steps } = message
  const { refusal, audio, images, tool_calls, function_call, executed_tools } = message
  const parts = typeof content === 'string' ? [{ type: 'text', content }] : toParts(content)
  const thinks = reasoning_content || reasoning || reasoning_details || reasoning_steps
  return !(thinks || refusal || audio || images || tool_calls || function_call || executed_tools)
    ? parts
    : [...reasoningParts(message), ...parts, ...toImageParts(images), ...toolCallParts(message)]
}

/** Not part of OpenAI's own API, but of several compatible ones. */
function reasoningParts({ reasoning_content, reasoning, reasoning_details, reasoning_steps }: Fields): Part[] {
  const details = asArray(reasoning_details).map(textOfDetail).join('')
  return reasoningPart(
    reasoning_content || reasoning || details || asArray(reasoning_steps).flat().map(textOfDetail).join('\n'),
  )
}

/** OpenRouter repeats the reasoning in details, MiniMax has it only there, and Perplexity in steps. */
function textOfDetail(detail: unknown): string {
  const { text, summary, thought } = asRecord(detail)
  return asString(text) ?? asString(summary) ?? asString(thought) ?? ''
}

function toolCallParts({ refusal, audio, tool_calls, function_call, executed_tools }: Fields): Part[] {
  const { id, transcript } = asRecord(audio)
  const calls = asArray(tool_calls).map((call) => {
    const { id, function: called, custom } = asRecord(call)
    const { name, arguments: input, input: text } = asRecord(called ?? custom)
    return toolCallPart(id, name, input ?? text)
  })
  const former = asRecord(function_call)
  return [
    ...(asString(refusal) ? [{ type: 'refusal', content: refusal }] : []),
    // The audio itself is not recorded.
    ...(audio ? [defined({ type: 'audio', id, transcript })] : []),
    ...calls,
    ...(function_call ? [toolCallPart(undefined, former.name, former.arguments)] : []),
    ...asArray(executed_tools).flatMap(executedParts),
  ]
}

/** Tools that Groq has run itself. */
function executedParts(tool: unknown): Part[] {
  const { type, arguments: input, output } = asRecord(tool)
  return [toolCallPart(undefined, type, input), ...(output ? [toToolResponsePart(undefined, output, type)] : [])]
}
