import { fieldsOf } from '@svc/core/json'
import { SvcMedia } from '../media/svc-media.ts'
import { SvcMediaReference } from '../media/svc-media-reference.ts'

/** Maximum nesting; deeper values are not changed. */
const DEEPEST = 20

/** A value to store, and the media to upload with it. */
export interface EmbeddedMedia {
  readonly value: unknown
  readonly media: readonly SvcMedia[]
}

/**
 * Replaces media in plain objects and arrays by tags and reference strings; anything else (a `Date`, an instance of a
 * class) is not changed.
 *
 * @throws {Error} if media have no bytes or no type
 */
export async function embedMedia(value: unknown): Promise<EmbeddedMedia> {
  const media: SvcMedia[] = []
  return { value: await walked(value, { media, above: new Set() }, 0), media }
}

interface Walk {
  readonly media: SvcMedia[]
  readonly above: Set<unknown>
}

async function walked(value: unknown, walk: Walk, depth: number): Promise<unknown> {
  if (value instanceof SvcMedia) return tagOf(value, walk)
  if (value instanceof SvcMediaReference) return value.referenceString
  if (walk.above.has(value)) return '[Circular]'
  const fields = depth < DEEPEST && isContainer(value) ? fieldsOf(value) : undefined
  if (!fields) return value
  walk.above.add(value)
  for (const [key, each] of Object.entries(fields)) fields[key] = await walked(each, walk, depth + 1)
  walk.above.delete(value)
  return Array.isArray(value) ? Object.values(fields) : fields
}

async function tagOf(media: SvcMedia, walk: Walk): Promise<string> {
  const tag = await media.getTag()
  if (tag === undefined) {
    throw new TypeError('svc: a dataset item has media without content or content type, so it is not created.')
  }
  walk.media.push(media)
  return tag
}

function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
