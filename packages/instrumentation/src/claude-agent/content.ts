import { toParts } from '../anthropic/blocks.ts'
import type { Message, Part } from '../gen-ai/content.ts'
import { textPart } from '../gen-ai/parts.ts'
import { asArray, asName, asRecord, asString, type Fields, isObject } from '../gen-ai/read.ts'

/** Converts the user's content: a text, or blocks of the API. */
export function toUserMessage(content: unknown): Message {
  return { role: 'user', parts: toParts(content) }
}

/** Returns the application's system prompt, without Claude Code's own. */
export function readInstructions({ systemPrompt, customSystemPrompt, appendSystemPrompt }: Fields): Part[] {
  const { prompt, append } = asRecord(systemPrompt)
  const text = isObject(systemPrompt) && !Array.isArray(systemPrompt) ? (prompt ?? append) : systemPrompt
  return asArray(text ?? customSystemPrompt ?? appendSystemPrompt).flatMap((text) => (text ? [textPart(text)] : []))
}

/** Reads the result of a tool; the only text block as plain text. */
export function readToolResult(content: unknown): unknown {
  const blocks = asArray(content).map(withoutBytes)
  const [only, ...more] = blocks
  if (more.length > 0) return blocks
  return asString(only) ?? asString(asRecord(only).text) ?? only
}

export function readErrorText(content: unknown): string {
  const texts = asArray(content).flatMap((block) => asName(block) ?? asName(asRecord(block).text) ?? [])
  return texts.join('\n')
}

/** Removes base64 data of images and documents, which is not recorded. */
function withoutBytes(block: unknown): unknown {
  if (!isObject(block) || !isObject(block.source)) return block
  const { data: _, ...source } = block.source
  return { ...block, source }
}
