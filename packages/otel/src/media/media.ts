import { fromBase64 } from '@svc/core/base64'
import type { Embedded } from '@svc/core/data-uris'
import { isMediaContentType, type MediaNames, mediaNamesOf, mediaTag } from '@svc/core/media'

/** Media lifted out of a span: the bytes, and the names that follow from them. */
export interface Media extends MediaNames {
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Decodes and names what was found in a span; undefined when it cannot be stored, so that it stays where it is. */
export async function mediaOf({ base64, contentType }: Embedded): Promise<Media | undefined> {
  const bytes = isMediaContentType(contentType) ? fromBase64(base64) : undefined
  if (!bytes || bytes.length === 0) return undefined
  return { ...(await mediaNamesOf(bytes)), contentType, bytes }
}

/** What stands in the span instead. */
export function tagOf({ id, contentType }: Media, source: Embedded['source']): string {
  return mediaTag(id, contentType, source)
}
