import { own } from '@svc/core/own'
import { toParts } from '../anthropic/blocks.ts'
import type { Part } from '../gen-ai/content.ts'
import {
  dataUri,
  modalityOf,
  reasoningPart,
  textPart,
  toolCallPart,
  toolResponsePart,
  uriPart,
} from '../gen-ai/parts.ts'
import { asArray, asName, asRecord, asString, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { fileIdOf } from '../google-genai/contents.ts'

/** Content blocks of LangChain and of its providers. Other blocks are recorded as they are. */
const PARTS: Readonly<Record<string, (block: Fields) => Part[]>> = {
  text: ({ text }) => (text === '' ? [] : [textPart(text)]),
  input_text: ({ text }) => [textPart(text)],
  output_text: ({ text }) => [textPart(text)],
  refusal: ({ refusal }) => [{ type: 'refusal', content: refusal }],
  guard_content({ guardContent, ...block }) {
    const { text } = asRecord(asRecord(guardContent).text)
    return text === undefined ? [{ ...block, guardContent, type: 'guard_content' }] : [textPart(text)]
  },
  reasoning: ({ reasoning, summary }) => reasoningPart(reasoning ?? summaryText(summary)),
  thinking: ({ thinking }) => reasoningPart(thinking),
  // Bedrock's.
  reasoning_content: ({ reasoningText }) => reasoningPart(asRecord(reasoningText).text),
  redacted_thinking: () => [],
  // Of the vendor's own tools.
  server_tool_call: ({ id, name, args }) => [toolCallPart(id, name, args)],
  server_tool_call_result: ({ toolCallId, output }) => [toolResponsePart(toolCallId, output)],
}

/** Of MCP servers and of the vendor's own tools, as Anthropic has them: `server_tool_use`, `web_search_tool_result`. */
const OF_ANTHROPIC = /^(?:server|mcp)_tool_use$|_tool_result$/

/** Blocks that repeat tool calls, which messages list separately. */
const CALLS: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_call',
  'tool_call_chunk',
  'input_json_delta',
  'function_call',
  'functionCall',
])

/** Converts a text or a list of blocks into parts of the GenAI conventions. */
export function contentParts(content: unknown, withCalls: boolean): Part[] {
  return asArray(content).flatMap((block) => {
    if (!isObject(block)) return block === '' ? [] : [textPart(block)]
    const type = asName(block.type) ?? 'unknown'
    if (withCalls && CALLS.has(type)) return []
    if (OF_ANTHROPIC.test(type)) return toParts([block])
    return own(PARTS, type)?.(block) ?? [filePart(type, block) ?? mediaPart(type, block) ?? { ...block, type }]
  })
}

/** Converts images and audio to OpenAI's format, whatever the provider; other content is unchanged. */
export function withViews(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  return content.map((block) => (isObject(block) ? viewOf(asName(block.type) ?? '', block) : block))
}

function viewOf(type: string, block: Fields): Fields {
  if (type === 'image_url') return block
  const { modality, uri, ...part } = mediaPart(type, block) ?? block
  if (uri === undefined || part.type !== 'uri') return block
  if (modality === 'image') return { type: 'image_url', image_url: { url: uri } }
  return modality === 'audio' ? { type: 'input_audio', input_audio: { data: uri } } : { ...part, modality, uri }
}

/** Returns what names a file, or is a text, in any of these formats. */
function filePart(type: string, block: Fields): Part | undefined {
  const { file_id, fileId, id, source_type, fileUri, text } = block
  const [file, source] = [asRecord(block.file), asRecord(block.source)]
  const named = asName(file_id ?? fileId ?? file.file_id ?? source.file_id ?? (source_type === 'id' ? id : undefined))
  const modality = modalityOf(block.mimeType) ?? (MODALITIES.has(type) ? type : undefined)
  if (named !== undefined) return defined({ type: 'file', modality, file_id: named })
  if (fileUri) return defined({ ...uriPart(modality, fileUri), file_id: fileIdOf(fileUri) })
  if (file.file_data) return defined({ type: 'uri', uri: file.file_data, filename: file.filename })
  if (source.type === 'text') return textPart(source.data)
  return typeof text === 'string' && (source_type === 'text' || type === 'text-plain') ? textPart(text) : undefined
}

/** Returns a media part for any of the five formats of LangChain and its providers. */
function mediaPart(type: string, block: Fields): Part | undefined {
  const { image_url, input_audio, source, url, data } = block
  if (image_url) return uriPart('image', asRecord(image_url).url ?? image_url)
  if (type === 'input_audio') {
    const { format, data: sound } = asRecord(input_audio)
    return uriPart('audio', dataUri(`audio/${asString(format) ?? 'wav'}`, sound))
  }
  if (isObject(source)) return mediaPart(type, { ...source, mime_type: source.media_type })
  const mimeType = asString(block.mime_type ?? block.mimeType)
  const modality = modalityOf(mimeType) ?? (MODALITIES.has(type) ? type : undefined)
  if (typeof data === 'string' && (mimeType || modality)) return uriPart(modality, dataUri(mimeType, data))
  return typeof url === 'string' && (mimeType || modality) ? uriPart(modality, url) : undefined
}

const MODALITIES: ReadonlySet<string> = new Set(['image', 'audio', 'video'])

function summaryText(summary: unknown): string {
  return asArray(summary)
    .map((item) => asString(asRecord(item).text) ?? '')
    .join('\n')
}
