import type { Attributes } from '@opentelemetry/api'
import { dataUrisIn, type Embedded } from '@svc/core/data-uris'
import { log, messageOf } from '@svc/core/log'
import type { Media } from '@svc/core/upload-media'
import { type ContentField, fieldOf } from '../content.ts'
import type { Step } from '../pipeline.ts'
import type { ReadableSpan } from '../sdk.ts'
import { attributeOf, withAttributes } from '../span-view.ts'
import { mediaOf, tagOf } from './media.ts'
import { blobsIn, mayHoldBlob, mayHoldMedia } from './messages.ts'

/** Media, and the field of a trace that it belongs to. */
export interface Upload {
  readonly media: Media
  readonly traceId: string
  readonly observationId: string
  readonly field: ContentField
}

/** Queues an upload and returns at once; false when the queue is full. */
export type Schedule = (upload: Upload) => boolean

/**
 * Replaces base64 media in inputs, outputs and metadata by a tag, in a view of the span, and has the bytes uploaded.
 * A span without media passes synchronously. What cannot be uploaded stays where it is.
 */
export function mediaLifter(schedule: Schedule): Step {
  const step = (span: ReadableSpan) => {
    const { attributes } = span
    try {
      for (const key in attributes) {
        const value = attributes[key]
        // Most attributes are too short for media, and their names need not be looked at.
        if (typeof value === 'string' && value.length >= SHORTEST && mayHoldMedia(key, value)) {
          return lifted(span, schedule)
        }
      }
      return span
    } catch {
      // An attribute throws when it is read.
      return lifted(span, schedule)
    }
  }
  return Object.assign(step, { isOptional: true } as const)
}

function lifted(span: ReadableSpan, schedule: Schedule): ReadableSpan | Promise<ReadableSpan> {
  const places: Place[] = []
  for (const key in span.attributes) {
    const place = placeOf(key, span)
    if (place) places.push(place)
  }
  return places.length === 0 ? span : liftMedia(span, places, schedule)
}

/** Characters of `data:,;base64,` and a little of what follows. */
const SHORTEST = 16

interface Place {
  readonly key: string
  readonly text: string
  readonly field: ContentField
}

function placeOf(key: string, span: ReadableSpan): Place | undefined {
  const value = attributeOf(span, key)
  if (typeof value !== 'string' || value.length < SHORTEST || !mayHoldMedia(key, value)) return undefined
  const field = fieldOf(key)
  return field && { key, text: value, field }
}

async function liftMedia(span: ReadableSpan, places: readonly Place[], schedule: Schedule): Promise<ReadableSpan> {
  const attributes: Attributes = {}
  for (const key of Object.keys(span.attributes)) attributes[key] = attributeOf(span, key)
  for (const place of places) {
    try {
      attributes[place.key] = await withTags(span, place, schedule)
    } catch (error) {
      log.warn(`Media in ${place.key} could not be extracted, so they stay in the span: ${messageOf(error)}`)
    }
  }
  return withAttributes(span, attributes)
}

async function withTags(span: ReadableSpan, { key, text, field }: Place, schedule: Schedule): Promise<string> {
  const { traceId, spanId: observationId } = span.spanContext()
  const tags = new Map<string, string | undefined>()
  let result = ''
  let from = 0
  for (const embedded of embeddedIn(key, text)) {
    const tagKey = `${embedded.contentType} ${embedded.source} ${embedded.base64}`
    if (!tags.has(tagKey)) {
      const media = await mediaOf(embedded)
      const taken = media && schedule({ media, traceId, observationId, field })
      tags.set(tagKey, taken ? tagOf(media, embedded.source) : undefined)
    }
    result += text.slice(from, embedded.start) + (tags.get(tagKey) ?? text.slice(embedded.start, embedded.end))
    from = embedded.end
  }
  return result + text.slice(from)
}

/** Everything in the text, in order and without overlaps: a data URI may stand in a message part as well. */
function embeddedIn(key: string, text: string): Embedded[] {
  const blobs = mayHoldBlob(key, text) ? blobsIn(key, text) : []
  const found = [...dataUrisIn(text), ...blobs].sort((one, other) => one.start - other.start)
  return found.filter((embedded, at) => at === 0 || embedded.start >= (found[at - 1]?.end ?? 0))
}
