import type { Part } from './content.ts'
import { asString, defined } from './read.ts'

/** Message parts as the GenAI conventions define them. */

export function textPart(content: unknown): Part {
  return { type: 'text', content }
}

/** Stands for what the service knows by an id. */
export function referencePart(what: string, id: unknown): Part {
  return textPart(`[${what} ${id}]`)
}

/** Returns a reasoning part; none if the reasoning is empty or encrypted. */
export function reasoningPart(content: unknown): Part[] {
  return asString(content) ? [{ type: 'reasoning', content }] : []
}

/** @param input the arguments, parsed or as JSON text */
export function toolCallPart(id: unknown, name: unknown, input: unknown): Part {
  return defined({ type: 'tool_call', id, name, arguments: input })
}

export function toolResponsePart(id: unknown, response: unknown, name?: unknown): Part {
  return defined({ type: 'tool_call_response', id, name, response })
}

/**
 * Returns an image, audio or other media part by URI. Base64 data becomes a `data:` URI, which the span processor
 * uploads as media.
 */
export function uriPart(modality: string | undefined, uri: unknown): Part {
  return defined({ type: 'uri', modality, uri })
}

export function dataUri(mimeType: unknown, base64: unknown): string {
  return `data:${asString(mimeType) ?? 'application/octet-stream'};base64,${asString(base64) ?? ''}`
}

/** `image/png` → `image` */
export function modalityOf(mimeType: unknown): string | undefined {
  return /^(image|audio|video)\//.exec(asString(mimeType) ?? '')?.[1]
}

export function parseJson(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}
