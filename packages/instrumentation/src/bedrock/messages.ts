import { dataUri, reasoningPart, textPart, toolAnswerPart, toolCallPart } from '../calls/parts.ts'
import { defined, type Fields, fieldsOf, isObject, listOf, nameOf, numberOf } from '../calls/read.ts'
import type { Answer, Message, Part, Usage } from '../calls/result.ts'

/** A message of the Converse API. */
export function messageOf(message: unknown): Message {
  const { role, content } = fieldsOf(message)
  return { role: nameOf(role) ?? 'user', parts: partsOf(content) }
}

export function partsOf(content: unknown): Part[] {
  return listOf(content).flatMap((block) => partOf(fieldsOf(block)))
}

/** A block has one field, named after what it is. */
function partOf(block: Fields): Part[] {
  const { text, toolUse, toolResult, reasoningContent, image } = block
  if (text !== undefined) return [textPart(text)]
  if (isObject(toolUse)) return [toolCallPart(toolUse.toolUseId, toolUse.name, toolUse.input)]
  if (isObject(toolResult)) return [toolAnswerPart(toolResult.toolUseId, resultOf(toolResult.content))]
  if (isObject(reasoningContent)) return reasoningPart(fieldsOf(reasoningContent.reasoningText).text)
  if (isObject(image)) return imagePart(image)
  const [kind] = Object.keys(block)
  // Documents, video and the like come as bytes.
  return kind === undefined ? [] : [{ type: kind }]
}

function resultOf(content: unknown): unknown {
  const parts = listOf(content).map((part) => fieldsOf(part).json ?? fieldsOf(part).text)
  return parts.length === 1 ? parts[0] : parts
}

function imagePart({ format, source }: Fields): Part[] {
  const { bytes } = fieldsOf(source)
  if (!(bytes instanceof Uint8Array)) return [{ type: 'image', format }]
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  return [{ type: 'uri', modality: 'image', uri: dataUri(`image/${nameOf(format) ?? 'png'}`, base64) }]
}

/** The answer to a `ConverseCommand`. */
export function converseAnswer({ output, stopReason, usage }: Fields): Answer {
  const finish = nameOf(stopReason)
  const { role, content } = fieldsOf(fieldsOf(output).message)
  const parts = partsOf(content)
  const message = { role: nameOf(role) ?? 'assistant', parts, ...defined({ finish_reason: finish }) }
  return {
    finishReasons: finish ? [finish] : [],
    messages: parts.length > 0 ? [message] : [],
    usage: usageOf(usage),
  }
}

/** The number for the input leaves out what was cached. */
function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const [input, cacheRead, cacheWrite] = [
    numberOf(usage.inputTokens),
    numberOf(usage.cacheReadInputTokens),
    numberOf(usage.cacheWriteInputTokens),
  ]
  return {
    input: input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: numberOf(usage.outputTokens),
    ...defined({ cacheRead, cacheWrite }),
  }
}
