import { fromBase64, toBase64 } from '@svc/core/base64'
import type { Embedded } from './data-uris.ts'

/** Media lifted out of a span: the bytes, and the names that follow from them. */
export interface Media {
  /** First 22 characters of the URL-safe base64 of the SHA-256: the service computes the same. */
  readonly id: string
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** SHA-256 in standard base64. */
  readonly sha256: string
}

/** What the service stores (contract, appendix A). Anything else would be refused and lost, so it stays in the span. */
const CONTENT_TYPES: ReadonlySet<string> = new Set(
  [
    'image/png image/jpeg image/jpg image/webp image/gif image/svg+xml image/tiff image/bmp image/avif image/heic',
    'audio/mpeg audio/mp3 audio/wav audio/ogg audio/oga audio/aac audio/mp4 audio/flac audio/opus audio/webm',
    'video/mp4 video/webm video/ogg video/mpeg video/quicktime video/x-msvideo video/x-matroska',
    'text/plain text/html text/css text/csv text/markdown text/x-python text/x-typescript',
    'application/javascript application/x-yaml application/pdf application/msword application/vnd.ms-excel',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'application/zip application/json application/xml application/octet-stream application/rtf',
    'application/x-ndjson application/vnd.apache.parquet application/gzip application/x-tar',
    'application/x-7z-compressed',
  ].flatMap((line) => line.split(' ')),
)

/** Decodes and names what was found in a span; undefined when it cannot be stored. */
export async function mediaOf({ base64, contentType }: Embedded): Promise<Media | undefined> {
  const bytes = CONTENT_TYPES.has(contentType) ? fromBase64(base64) : undefined
  if (!bytes || bytes.length === 0) return undefined
  const sha256 = toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  const id = sha256.replaceAll('+', '-').replaceAll('/', '_').slice(0, 22)
  return { id, contentType, bytes, sha256 }
}

/** What stands in the span instead (contract 1.8). */
export function tagOf({ id, contentType }: Media, source: Embedded['source']): string {
  return `@@@svcMedia:type=${contentType}|id=${id}|source=${source}@@@`
}
