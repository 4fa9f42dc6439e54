import { dataUri, reasoningPart, textPart, toolAnswerPart, toolCallPart } from '../calls/parts.ts'
import { defined, type Fields, fieldsOf, isObject, listOf, nameOf, numberOf, textOf } from '../calls/read.ts'
import type { Answer, Message, Part, Usage } from '../calls/result.ts'

/** A message of the Converse API. One that holds nothing but answers of tools is a tool's, though the user sends it. */
export function messageOf(message: unknown): Message {
  const { role, content } = fieldsOf(message)
  const parts = partsOf(content)
  const fromTools = parts.length > 0 && parts.every(({ type }) => type === 'tool_call_response')
  return { role: fromTools ? 'tool' : (nameOf(role) ?? 'user'), parts }
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
  // Documents, video and the like come as bytes; where to cache is not said to the model.
  return kind === undefined || kind === 'cachePoint' ? [] : [{ type: kind }]
}

function resultOf(content: unknown): unknown {
  const parts = listOf(content).map((part) => fieldsOf(part).json ?? fieldsOf(part).text)
  return parts.length === 1 ? parts[0] : parts
}

function imagePart({ format, source }: Fields): Part[] {
  const base64 = base64Of(fieldsOf(source).bytes)
  if (base64 === undefined) return [{ type: 'image', format }]
  return [{ type: 'uri', modality: 'image', uri: dataUri(`image/${nameOf(format) ?? 'png'}`, base64) }]
}

/** Where a model is invoked in its own words, a picture is a text already. */
function base64Of(bytes: unknown): string | undefined {
  if (!(bytes instanceof Uint8Array)) return textOf(bytes)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
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
    // The second name is that of Amazon's models where they are invoked.
    numberOf(usage.cacheReadInputTokens ?? usage.cacheReadInputTokenCount),
    numberOf(usage.cacheWriteInputTokens ?? usage.cacheWriteInputTokenCount),
  ]
  return {
    input: input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: numberOf(usage.outputTokens),
    ...defined({ cacheRead, cacheWrite }),
  }
}
