import * as GEN_AI from '@svc/core/attributes/gen-ai'
import { base64End } from '@svc/core/base64'
import { type Embedded, mayHoldDataUri } from '@svc/core/data-uris'
import { isFields } from '@svc/core/json'

// Keys whose JSON text contains messages, and words: a media part contains at least one of them.
const FORMS: ReadonlyMap<string, { readonly words: readonly string[]; readonly parts: PartReader }> = new Map([
  ['ai.prompt', { words: ['"file"', '"image"'], parts: aiSdkPart }],
  ['ai.prompt.messages', { words: ['"file"', '"image"'], parts: aiSdkPart }],
  [GEN_AI.INPUT_MESSAGES, { words: ['"blob"'], parts: genAiPart }],
  [GEN_AI.OUTPUT_MESSAGES, { words: ['"blob"'], parts: genAiPart }],
])

type Part = Readonly<Record<string, unknown>>
type PartReader = (part: Part) => { contentType: unknown; content: unknown }

/** Whether to look for media in the text: of either form, in a data URI or in a part of a message. */
export function mayHoldMedia(key: string, text: string): boolean {
  return mayHoldDataUri(text) || (FORMS.has(key) && mayHoldBlob(key, text))
}

/** Whether to parse the text: parsing a prompt costs more than searching it for a word. */
export function mayHoldBlob(key: string, text: string): boolean {
  return FORMS.get(key)?.words.some((word) => text.includes(word)) ?? false
}

/**
 * Base64 that is not in a data URI but in a part of a message that says what it is: files of the AI SDK, blobs of the
 * GenAI conventions (contract 1.8). Throws on text that is not JSON.
 */
export function blobsIn(key: string, text: string): Embedded[] {
  const form = FORMS.get(key)
  if (!form) return []
  const types = new Map<string, string>()
  for (const part of partsOf(JSON.parse(text))) {
    const { contentType, content } = form.parts(part)
    if (typeof contentType === 'string' && isBase64(content)) types.set(content, contentType.toLowerCase())
  }
  return placesOf(text, types)
}

function aiSdkPart(part: Part) {
  const isMedia = part.type === 'file' || part.type === 'image'
  return { contentType: part.mediaType ?? part.mimeType, content: isMedia ? (part.image ?? part.data) : undefined }
}

function genAiPart(part: Part) {
  return { contentType: part.mime_type, content: part.type === 'blob' ? part.content : undefined }
}

// Messages have `content` (AI SDK) or `parts` (GenAI conventions); `ai.prompt` may wrap them in an object.
function partsOf(parsed: unknown): Part[] {
  const messages = isFields(parsed) ? parsed.messages : parsed
  if (!Array.isArray(messages)) return []
  return messages
    .filter(isFields)
    .flatMap((message) => [message.content, message.parts])
    .filter(Array.isArray)
    .flat()
    .filter(isFields)
}

// URLs and data URIs have a colon; the latter are found in the text anyway.
function isBase64(content: unknown): content is string {
  return typeof content === 'string' && content !== '' && base64End(content, 0) === content.length
}

// As whole JSON texts only: short base64 could be part of a word elsewhere. One pass, however many there are.
function placesOf(text: string, types: ReadonlyMap<string, string>): Embedded[] {
  const places: Embedded[] = []
  for (let open = text.indexOf('"'); open >= 0; ) {
    const [start, end] = [open + 1, closingQuote(text, open + 1)]
    const base64 = text.slice(start, end)
    const contentType = types.get(base64)
    if (contentType !== undefined) places.push({ start, end, contentType, base64, source: 'bytes' })
    open = text.indexOf('"', end + 1)
  }
  return places
}

// The text has been parsed, so every quote has its other.
function closingQuote(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); ; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (text[quote - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return quote
  }
}
