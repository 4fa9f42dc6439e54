import type { Attributes } from '@opentelemetry/api'
import { fieldOf } from '../content.ts'
import type { ReadableSpan } from '../sdk.ts'
import { attributeOf, withAttributes } from '../span-view.ts'

/** Base64 in a data URI, or as a whole text of JSON: files of the AI SDK, blobs of the GenAI conventions. */
const MEDIA = /(;base64,|")([\w+/-]{1000,}={0,2})/g

/** Characters below which there is nothing to look for. */
const SHORTEST = 1_000

/** Returns the span without media in its content: where none are uploaded, they would fill whole requests. */
export function withoutMedia(span: ReadableSpan): ReadableSpan {
  let changed: Attributes | undefined
  for (const key of Object.keys(span.attributes)) {
    const value = attributeOf(span, key)
    if (typeof value !== 'string' || value.length < SHORTEST || !fieldOf(key)) continue
    const text = value.replace(
      MEDIA,
      (_, before: string, { length }: string) => `${before}[media of ${length} characters]`,
    )
    if (text !== value) changed = { ...(changed ?? span.attributes), [key]: text }
  }
  return changed ? withAttributes(span, changed) : span
}
