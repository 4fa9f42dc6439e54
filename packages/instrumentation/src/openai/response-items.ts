import type { Message, Part } from '../gen-ai/content.ts'
import { reasoningPart, textPart, toolCallPart } from '../gen-ai/parts.ts'
import { asArray, asName, asRecord, asString, defined, entryOf, type Fields, isObject } from '../gen-ai/read.ts'
import { answerPart, partsOf } from './parts.ts'

/** Items of the Responses API, in what is sent and what comes back, other than messages. */
const ITEMS: Readonly<Record<string, (item: Fields) => Message>> = {
  function_call: ({ call_id, name, arguments: input }) => assistant([toolCallPart(call_id, name, input)]),
  custom_tool_call: ({ call_id, name, input }) => assistant([toolCallPart(call_id, name, input)]),
  mcp_call: ({ id, name, arguments: input, output, error }) =>
    assistant([toolCallPart(id, name, input), ...(output || error ? [answerPart(id, output ?? error)] : [])]),
  reasoning: ({ summary, content }) => assistant([...asArray(summary), ...asArray(content)].flatMap(thoughtOf)),
}

/** One item as a message. Those of a kind the conventions have no word for are taken as they are. */
export function messageOfItem(item: unknown): Message {
  if (!isObject(item)) return { role: 'user', parts: [textPart(item)] }
  const type = asName(item.type) ?? 'message'
  if (type === 'message') return { role: asName(item.role) ?? 'assistant', parts: partsOf(item.content) }
  const known = entryOf(ITEMS, type)
  if (known) return known(item)
  if (type.endsWith('_call_output')) return tool([answerPart(item.call_id, item.output)])
  return assistant([otherPart(type, item)])
}

/** What was thought may be sealed (`encrypted_content`); then there is nothing to tell. */
function thoughtOf(thought: unknown): Part[] {
  return reasoningPart(asRecord(thought).text)
}

/**
 * What the provider itself did is a call of its tool: `web_search_call`. Pictures that were made come as base64 in
 * `result`, and are not recorded.
 */
function otherPart(type: string, { result, encrypted_content, ...item }: Fields): Part {
  const kept = defined({ ...item, result: asString(result) === undefined ? result : undefined })
  const [, tool] = /^(.+)_call$/.exec(type) ?? []
  if (tool === undefined) return { ...kept, type }
  const { id, call_id = id, type: _, status: __, ...input } = kept as Fields
  return toolCallPart(call_id, tool, input)
}

function assistant(parts: readonly Part[]): Message {
  return { role: 'assistant', parts }
}

function tool(parts: readonly Part[]): Message {
  return { role: 'tool', parts }
}
