import type { Message, Part, ResponseContent, Usage } from '../gen-ai/content.ts'
import { dataUri, reasoningPart, textPart, toolCallPart, toolResponsePart, uriPart } from '../gen-ai/parts.ts'
import { asArray, asName, asNumber, asRecord, asString, defined, type Fields, isObject } from '../gen-ai/read.ts'

/** Converts a message. One with only tool results has the role tool, although the API sends it as the user's. */
export function toMessage(message: unknown): Message {
  const { role, content } = asRecord(message)
  const parts = toParts(content)
  const fromTools = parts.length > 0 && parts.every(({ type }) => type === 'tool_call_response')
  return { role: fromTools ? 'tool' : (asName(role) ?? 'user'), parts }
}

export function toParts(content: unknown): Part[] {
  return asArray(content).flatMap((block) => toPart(asRecord(block)))
}

/** Converts a block, which has one field, named after its type. */
function toPart(block: Fields): Part[] {
  const { text, toolUse, toolResult, reasoningContent, citationsContent, guardContent } = block
  // What a guardrail is to look at has its text one level deeper.
  if (text !== undefined) return [textPart(asRecord(text).text ?? text)]
  if (isObject(toolUse)) return [toolCallPart(toolUse.toolUseId, toolUse.name, toolUse.input)]
  if (isObject(toolResult)) return [toolResponsePart(toolResult.toolUseId, readToolResult(toolResult.content))]
  if (isObject(reasoningContent)) return reasoningPart(asRecord(reasoningContent.reasoningText).text)
  if (isObject(citationsContent)) return toParts(citationsContent.content)
  if (isObject(guardContent)) return toPart(guardContent)
  const [kind] = Object.keys(block)
  // Cache points are not content.
  if (kind === undefined || kind === 'cachePoint') return []
  return MEDIA.has(kind) ? toMediaParts(kind, asRecord(block[kind])) : [{ type: kind, content: block[kind] }]
}

/** Returns the only value of a result as it is. */
function readToolResult(content: unknown): unknown {
  const blocks = asArray(content).map(asRecord)
  const values = blocks.map(({ json, text }) => json ?? text)
  if (values.includes(undefined))
    return blocks.flatMap(({ json, ...block }) => (json !== undefined ? [textPart(json)] : toPart(block)))
  return values.length === 1 ? values[0] : values
}

const MEDIA: ReadonlySet<string> = new Set(['image', 'audio', 'video', 'document'])

/** Converts what stands in S3, a document that is text, or an image. Other bytes are not recorded. */
function toMediaParts(kind: string, { format, name, source }: Fields): Part[] {
  const { bytes, s3Location, text, content } = asRecord(source)
  const modality = kind === 'document' ? undefined : kind
  if (isObject(s3Location)) return [uriPart(modality, s3Location.uri)]
  if (text !== undefined) return [textPart(text)]
  if (content !== undefined) return toParts(content)
  const base64 = kind === 'image' ? toBase64(bytes) : undefined
  if (base64 === undefined) return [defined({ type: kind, name, format })]
  return [uriPart(modality, dataUri(`image/${asName(format) ?? 'png'}`, base64))]
}

/** Returns base64. In a model's own protocol an image is a string already. */
function toBase64(bytes: unknown): string | undefined {
  if (!(bytes instanceof Uint8Array)) return asString(bytes)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** Reads the response to a `ConverseCommand`. */
export function readConverseResponse({ output, stopReason, usage, serviceTier }: Fields): ResponseContent {
  const finish = asName(stopReason)
  const tier = asName(asRecord(serviceTier).type)
  const { role, content } = asRecord(asRecord(output).message)
  const parts = toParts(content)
  const message = { role: asName(role) ?? 'assistant', parts, ...defined({ finish_reason: finish }) }
  return {
    finishReasons: finish ? [finish] : [],
    messages: parts.length > 0 ? [message] : [],
    usage: readUsage(usage),
    citations: asArray(content).flatMap((block) => asArray(asRecord(asRecord(block).citationsContent).citations)),
    ...(tier === undefined ? {} : { served: { service_tier: tier } }),
  }
}

/** The input count excludes cached tokens. */
function readUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const [input, cacheRead, cacheWrite] = [
    asNumber(usage.inputTokens),
    // Amazon's models use the second name when they are invoked.
    asNumber(usage.cacheReadInputTokens ?? usage.cacheReadInputTokenCount),
    asNumber(usage.cacheWriteInputTokens ?? usage.cacheWriteInputTokenCount),
  ]
  return {
    input: input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: asNumber(usage.outputTokens),
    ...defined({
      cacheRead,
      cacheWrite,
      cacheWrite5m: readCacheWrite('5m', usage.cacheDetails),
      cacheWrite1h: readCacheWrite('1h', usage.cacheDetails),
    }),
  }
}

function readCacheWrite(time: string, details: unknown): number | undefined {
  const entry = asArray(details)
    .map(asRecord)
    .find(({ ttl }) => ttl === time)
  return asNumber(entry?.inputTokens)
}

/** Returns how a model of Bedrock calls it that a guardrail intervened: the text of an answer does not show it. */
export function readIntervention(action: unknown): string | undefined {
  return action === 'INTERVENED' ? 'guardrail_intervened' : undefined
}
