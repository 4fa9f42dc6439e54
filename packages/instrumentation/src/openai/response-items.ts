import { own } from '@svc/core/own'
import type { Message, Part } from '../gen-ai/content.ts'
import { reasoningPart, textPart, toolCallPart } from '../gen-ai/parts.ts'
import { asArray, asName, asRecord, asString, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { toParts, toToolResponsePart } from './parts.ts'

/** Converts items of the Responses API other than messages, sent and received. */
const ITEMS: Readonly<Record<string, (item: Fields) => Message>> = {
  function_call: ({ call_id, name, arguments: input }) => assistantMessage([toolCallPart(call_id, name, input)]),
  custom_tool_call: ({ call_id, name, input }) => assistantMessage([toolCallPart(call_id, name, input)]),
  mcp_call: ({ id, name, arguments: input, output, error }) =>
    assistantMessage([
      toolCallPart(id, name, input),
      ...(output || error ? [toToolResponsePart(id, output ?? error)] : []),
    ]),
  computer_call_output: ({ call_id, output }) => toolMessage([toToolResponsePart(call_id, asArray(output))]),
  // The one call whose result has its id in another field.
  local_shell_call_output: ({ id, call_id = id, output }) => toolMessage([toToolResponsePart(call_id, output)]),
  apply_patch_call_output: ({ call_id, output, status }) =>
    toolMessage([toToolResponsePart(call_id, output ?? status)]),
  program: ({ call_id, code }) => assistantMessage([toolCallPart(call_id, 'program', { code })]),
  program_output: ({ call_id, result }) => toolMessage([toToolResponsePart(call_id, result)]),
  // Perplexity's: what it asked is there with what it found.
  search_results: ({ queries, results }) => usedTool('search', { queries }, results),
  fetch_url_results: ({ contents }) => usedTool('fetch_url', {}, contents),
  sandbox_results: ({ call_id, language, code, results }) => usedTool('sandbox', { language, code }, results, call_id),
  tool_search_output: ({ call_id, tools }) => toolMessage([toToolResponsePart(call_id, tools)]),
  mcp_approval_request: ({ id, name, arguments: input }) => assistantMessage([toolCallPart(id, name, input)]),
  mcp_approval_response: ({ approval_request_id: approval_id, approve: approved, reason }) =>
    toolMessage([defined({ type: 'tool_approval_response', approval_id, approved, reason })]),
  reasoning: ({ summary, content }) =>
    assistantMessage([...asArray(summary), ...asArray(content)].flatMap(toReasoningParts)),
}

/** Converts an item to a message. Items that the conventions do not define are recorded as they are. */
export function itemToMessage(item: unknown): Message {
  if (!isObject(item)) return { role: 'user', parts: [textPart(item)] }
  const type = asName(item.type) ?? 'message'
  if (type === 'message') return { role: asName(item.role) ?? 'assistant', parts: toParts(item.content) }
  const toKnownMessage = own(ITEMS, type)
  if (toKnownMessage) return toKnownMessage(item)
  if (type.endsWith('_call_output')) return toolMessage([toToolResponsePart(item.call_id, item.output)])
  return assistantMessage([toOtherPart(type, item)])
}

/** Converts reasoning; if it is encrypted (`encrypted_content`) there is none to record. */
function toReasoningParts(thought: unknown): Part[] {
  return reasoningPart(asRecord(thought).text)
}

/** Converts a call of the provider's own tools: `web_search_call`. Images in `result` are base64 and not recorded. */
function toOtherPart(type: string, { result, encrypted_content, ...item }: Fields): Part {
  const rest = defined({ ...item, result: asString(result) === undefined ? result : undefined })
  const [, tool] = /^(.+)_call$/.exec(type) ?? []
  if (tool === undefined) return { ...rest, type }
  const { id, call_id = id, type: _, status: __, ...input } = rest as Fields
  return toolCallPart(call_id, tool, input)
}

function usedTool(name: string, input: Fields, result: unknown, id?: unknown): Message {
  return assistantMessage([toolCallPart(id, name, defined(input)), toToolResponsePart(id, result, name)])
}

function assistantMessage(parts: readonly Part[]): Message {
  return { role: 'assistant', parts }
}

function toolMessage(parts: readonly Part[]): Message {
  return { role: 'tool', parts }
}
