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
import { asArray, asName, asRecord, asString, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { withLibraryNames } from '../gen-ai/wire.ts'

/** Converts contents to messages: a text, a part, a content, or a list of these. */
export function toMessages(contents: unknown): Message[] {
  return asArray(contents).map((content) => toMessage(content))
}

/** Converts one content. A part without a content is the user's. */
function toMessage(content: unknown): Message {
  const { role, parts } = asRecord(content)
  const messageParts = Array.isArray(parts) ? toParts(parts) : toParts(content)
  if (messageParts.length > 0 && messageParts.every(({ type }) => type === 'tool_call_response'))
    return { role: 'tool', parts: messageParts }
  return { role: role === 'model' ? 'assistant' : (asName(role) ?? 'user'), parts: messageParts }
}

/** Converts the parts of an instruction, a content or a response. */
export function toParts(content: unknown): Part[] {
  const { parts } = asRecord(content)
  return asArray(parts ?? content).flatMap((part) => (isObject(part) ? toPart(part) : [textPart(part)]))
}

/** Converts the parts of a response, without its images and audio. */
export function toOutputParts(content: unknown): Part[] {
  const parts = asArray(asRecord(content).parts).map(asRecord)
  return parts.flatMap((part) => (isObject(part.inlineData) ? [toBlobPart(part.inlineData)] : toPart(part)))
}

const WIRE_NAMES: ReadonlySet<string> = new Set(['inline_data', 'file_data', 'function_call', 'function_response'])

function toPart(given: Fields): Part[] {
  // What a function is given and answers keeps its names.
  const part = Object.keys(given).some((name) => WIRE_NAMES.has(name)) ? withLibraryNames(given, 2) : given
  const { text, thought, functionCall, functionResponse, toolCall, toolResponse, inlineData, fileData } = part
  if (asString(text) !== undefined) return thought === true ? reasoningPart(text) : [textPart(text)]
  if (isObject(functionCall)) return [toolCallPart(functionCall.id, functionCall.name, functionCall.args)]
  if (isObject(functionResponse)) return [toToolResponse(functionResponse)]
  // Of the vendor's own tools.
  if (isObject(toolCall)) return [toolCallPart(toolCall.id, toolCall.toolType, toolCall.args)]
  if (isObject(toolResponse)) return [toolResponsePart(toolResponse.id, toolResponse.response, toolResponse.toolType)]
  if (isObject(inlineData)) {
    const { mimeType, data } = inlineData
    return [uriPart(modalityOf(mimeType), dataUri(mimeType, data))]
  }
  if (isObject(fileData))
    return [{ ...uriPart(modalityOf(fileData.mimeType), fileData.fileUri), file_id: fileIdOf(fileData.fileUri) }]
  // Beside the content there may be a signature, and metadata of the content.
  const type = Object.keys(part).find((name) => isObject(part[name]) && !ABOUT.test(name))
  return type === undefined ? [] : [{ type, content: part[type] }]
}

const ABOUT = /(Metadata|Processing|Resolution)$/

/** A result may have images beside its fields. */
function toToolResponse({ id, name, response, parts }: Fields): Part {
  const media = asArray(parts).flatMap((part) => toPart(asRecord(part)))
  return toolResponsePart(id, media.length > 0 ? [textPart(response), ...media] : response, name)
}

/** Files of the vendor's are named by a URI; others are where it says. */
export function fileIdOf(uri: unknown): string | undefined {
  return /\/(files\/[^/]+)$/.exec(asString(uri) ?? '')?.[1]
}

function toBlobPart({ mimeType }: Fields): Part {
  return defined({ type: 'blob', modality: modalityOf(mimeType), mime_type: asName(mimeType) })
}
