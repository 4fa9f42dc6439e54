import { own } from '@svc/core/own'
import type { Message, Part } from '../gen-ai/content.ts'
import {
  dataUri,
  modalityOf,
  reasoningPart,
  textPart,
  toolCallPart,
  toolResponsePart,
  uriPart,
} from '../gen-ai/parts.ts'
import { asArray, asName, asRecord, defined, type Fields, isObject } from '../gen-ai/read.ts'

/** Converts content blocks that the conventions define. Other blocks are recorded as they are. */
const BLOCKS: Readonly<Record<string, (block: Fields) => Part[]>> = {
  text: ({ text }) => [textPart(text)],
  image: ({ source }) => [toSourcePart('image', asRecord(source))],
  document: ({ source, title }) => [defined({ ...toSourcePart(undefined, asRecord(source)), title })],
  thinking: ({ thinking }) => reasoningPart(thinking),
  // Encrypted.
  redacted_thinking: () => [],
  tool_use: ({ id, name, input }) => [toolCallPart(id, name, input)],
  server_tool_use: ({ id, name, input }) => [toolCallPart(id, name, input)],
  mcp_tool_use: ({ id, name, input }) => [toolCallPart(id, name, input)],
  tool_result: toToolResponse,
  // Beside the summary there is what is encrypted.
  compaction: ({ content }) => [{ type: 'compaction', content }],
}

/** Results of MCP servers and of the vendor's own tools: `web_fetch_tool_result`. */
const RESULTS = /_tool_result$/

/** Converts a message. One with only tool results has the role tool, although the API sends it as the user's. */
export function toMessage({ role, content }: Fields): Message {
  const parts = toParts(content)
  const fromTools = parts.length > 0 && parts.every(({ type }) => type === 'tool_call_response')
  return { role: fromTools ? 'tool' : (asName(role) ?? 'user'), parts }
}

/** Converts content: a text, or a list of blocks. */
export function toParts(content: unknown): Part[] {
  return asArray(content).flatMap((block) => {
    if (!isObject(block)) return [textPart(block)]
    const type = asName(block.type) ?? 'unknown'
    return own(BLOCKS, type)?.(block) ?? (RESULTS.test(type) ? toToolResponse(block) : [{ ...block, type }])
  })
}

function toToolResponse({ tool_use_id, content }: Fields): Part[] {
  return [toolResponsePart(tool_use_id, Array.isArray(content) ? toParts(content) : content)]
}

function toSourcePart(modality: string | undefined, { type, media_type, data, url, file_id, content }: Fields): Part {
  if (type === 'url') return uriPart(modality, url)
  if (type === 'base64') return uriPart(modality ?? modalityOf(media_type), dataUri(media_type, data))
  if (type === 'text') return textPart(data)
  return type === 'content'
    ? { type: 'document', content: toParts(content) }
    : defined({ type: 'file', modality, file_id })
}
