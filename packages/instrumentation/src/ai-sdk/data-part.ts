import { own } from '@svc/core/own'
import type { Part } from '../gen-ai/content.ts'
import { modalityOf } from '../gen-ai/parts.ts'
import { asString, isObject } from '../gen-ai/read.ts'

const ADDRESS = /^https?:\/\//

/** Formats a file of a message: an address as `uri`, anything else as `blob` in base64. */
export function dataPart(data: unknown, mediaType: unknown, modality: string): Part {
  const content = unwrapped(data)
  const about = { modality, mime_type: mediaType ?? null }
  if (content instanceof URL) return { type: 'uri', ...about, uri: content.toString() }
  if (typeof content === 'string' && ADDRESS.test(content)) return { type: 'uri', ...about, uri: content }
  return { type: 'blob', ...about, content: toBase64(content) }
}

/** `image/png` → `image`; a file of any other kind counts as an image, as in the SDK's own telemetry. */
export function modalityOrImage(mediaType: unknown): string {
  return modalityOf(mediaType) ?? 'image'
}

/** The field of each kind of wrapped data. A reference to an uploaded file has none. */
const FIELDS: Readonly<Record<string, string>> = { data: 'data', url: 'url', text: 'text' }

function unwrapped(data: unknown): unknown {
  if (!isObject(data) || data instanceof URL || isBytes(data) || !('type' in data)) return data
  const field = own(FIELDS, String(data.type))
  return field === undefined ? '' : data[field]
}

function isBytes(data: unknown): data is Uint8Array | ArrayBuffer {
  return data instanceof Uint8Array || data instanceof ArrayBuffer
}

/** Text is base64 already. */
function toBase64(content: unknown): string {
  if (!isBytes(content)) return asString(content) ?? String(content)
  const bytes = content instanceof ArrayBuffer ? new Uint8Array(content) : content
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
