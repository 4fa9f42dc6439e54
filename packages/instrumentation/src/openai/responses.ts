import type { RequestContent, ResponseContent, Usage } from '../gen-ai/content.ts'
import { describeResponseFailure } from '../gen-ai/failure.ts'
import { referencePart, textPart } from '../gen-ai/parts.ts'
import { asArray, asName, asRecord, defined, type Fields } from '../gen-ai/read.ts'
import type { Job } from '../jobs/job.ts'
import type { ModelEndpoint } from '../stainless/endpoint.ts'
import { readRequestParameters, storedPrompt } from './parameters.ts'
import { itemToMessage } from './response-items.ts'
import { createResponseAccumulator } from './response-stream.ts'
import { readOpenAiUsage, readPricing } from './usage.ts'

/** `responses`: `create`, `parse` and `stream` post to one path, `compact` to another. */
export const responses: ModelEndpoint = {
  name: 'chat',
  path: /\/responses(\/compact)?$/,
  // In the background.
  statePath: /\/responses\/[^/]+$/,
  readJob,
  readParameters: readRequestParameters,
  readRequest,
  readResponse,
  createAccumulator: (read = readResponse) => createResponseAccumulator(read),
}

function readRequest({ instructions, input, tools, ...named }: Fields): RequestContent {
  const { conversation, previous_response_id } = named
  const prompt = storedPrompt(named)
  const messages = asArray(input).map(itemToMessage)
  // What stands before the input, and is known to the service only.
  const before = [
    ...(prompt ? [{ type: 'prompt', ...prompt }] : []),
    ...(previous_response_id ? [referencePart('previous response', previous_response_id)] : []),
    ...(conversation ? [referencePart('conversation', asRecord(conversation).id ?? conversation)] : []),
  ]
  if (before.length > 0) messages.unshift({ role: 'user', parts: before })
  const prompt_variables = prompt?.variables
  return {
    ...(prompt_variables === undefined ? {} : { metadata: { prompt_variables } }),
    ...(instructions ? { instructions: [textPart(instructions)] } : {}),
    ...(messages.length > 0 ? { messages: messages.filter(({ parts }) => parts.length > 0) } : {}),
    tools,
  }
}

function readResponse(response: Fields): ResponseContent {
  const { id, model, status, incomplete_details, output, usage, error, service_tier } = response
  const finish = asName(asRecord(incomplete_details).reason) ?? asName(status)
  const parts = asArray(output).flatMap((item) => itemToMessage(item).parts)
  const approval_ids = asArray(output)
    .filter(asksPerson)
    .map((item) => asRecord(item).id)
  return {
    id: asName(id),
    model: asName(model),
    finishReasons: finish ? [finish] : [],
    messages: parts.length > 0 ? [{ role: 'assistant', parts, ...defined({ finish_reason: finish }) }] : [],
    usage: withSearches(readOpenAiUsage(usage), asArray(output)),
    ...readPricing(service_tier, usage),
    citations: asArray(output).flatMap(readSources),
    ...(approval_ids.length > 0 && { isInterrupted: true, metadata: { approval_ids } }),
    failure: status === 'failed' ? describeResponseFailure(asRecord(error)) : undefined,
  }
}

function readJob({ id, status }: Fields): Job | undefined {
  const isOver = status !== 'queued' && status !== 'in_progress'
  return typeof id === 'string' ? { id, isOver, isCancelled: status === 'cancelled' } : undefined
}

/** What the texts of an item refer to: addresses and files. */
function readSources(item: unknown): unknown[] {
  const { type, content, results } = asRecord(item)
  if (type === 'search_results') return [...asArray(results)]
  return asArray(content).flatMap((part) => asArray(asRecord(part).annotations))
}

const asksPerson = (item: unknown) => asRecord(item).type === 'mcp_approval_request'

/** Adds web searches, which are priced separately and not counted elsewhere. */
function withSearches(usage: Usage | undefined, items: readonly unknown[]): Usage | undefined {
  const webSearches = items.filter((item) => asRecord(item).type === 'web_search_call').length
  return usage && webSearches > 0 ? { ...usage, webSearches } : usage
}
