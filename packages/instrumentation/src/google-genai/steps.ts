import { own } from '@svc/core/own'
import type { Message, Part } from '../gen-ai/content.ts'
import { dataUri, reasoningPart, textPart, toolCallPart, toolResponsePart, uriPart } from '../gen-ai/parts.ts'
import { asArray, asName, asRecord, asString, defined, type Fields, isObject } from '../gen-ai/read.ts'

/** Converts steps of the Interactions API, sent and received. Other steps are recorded as they are. */
const STEPS: Readonly<Record<string, (step: Fields) => Message>> = {
  user_input: ({ content }) => ({ role: 'user', parts: asArray(content).map(toPart) }),
  model_output: ({ content }) => assistantMessage(asArray(content).map(toPart)),
  thought: ({ summary }) =>
    assistantMessage(asArray(summary).flatMap((thought) => reasoningPart(asRecord(thought).text))),
  function_call: ({ id, name, arguments: input }) => assistantMessage([toolCallPart(id, name, input)]),
  function_result: ({ call_id, name, result }) => ({ role: 'tool', parts: [toolResponsePart(call_id, result, name)] }),
}

const MODALITIES: ReadonlySet<unknown> = new Set(['image', 'audio', 'video', 'document'])

export const isMedia = (type: unknown): boolean => MODALITIES.has(type)

export function isStep(value: unknown): boolean {
  const type = asName(asRecord(value).type) ?? ''
  return own(STEPS, type) !== undefined || /_(call|result)$/.test(type)
}

export function stepToMessage(step: Fields): Message {
  const type = asName(step.type) ?? 'unknown'
  return own(STEPS, type)?.(step) ?? assistantMessage([{ ...step, type }])
}

/** Converts a step of a response, without its images and audio. */
export function stepToOutputParts(step: Fields): readonly Part[] {
  if (step.type === 'user_input') return []
  if (step.type !== 'model_output') return stepToMessage(step).parts
  return asArray(step.content).map((content) => {
    const { type, mime_type } = asRecord(content)
    return isMedia(type)
      ? defined({ type: 'blob', modality: asName(type), mime_type: asName(mime_type) })
      : toPart(content)
  })
}

/** Converts contents without a step, which are the user's. */
export function toUserMessage(contents: readonly unknown[]): Message {
  return { role: 'user', parts: contents.map(toPart) }
}

function toPart(content: unknown): Part {
  if (!isObject(content)) return textPart(content)
  const { type, text, data, uri, mime_type } = content
  if (asString(text) !== undefined) return textPart(text)
  if (isMedia(type)) return uriPart(asName(type), uri ?? dataUri(mime_type, data))
  return { ...content, type: asName(type) ?? 'unknown' }
}

function assistantMessage(parts: readonly Part[]): Message {
  return { role: 'assistant', parts }
}
