import { toBase64 } from './base64.ts'

/** What the service stores (contract, appendix A). Anything else it refuses. */
const CONTENT_TYPES = [
  'image/png',
  'image/jpeg',
  'image/jpg',
  'image/webp',
  'image/gif',
  'image/svg+xml',
  'image/tiff',
  'image/bmp',
  'image/avif',
  'image/heic',
  'audio/mpeg',
  'audio/mp3',
  'audio/wav',
  'audio/ogg',
  'audio/oga',
  'audio/aac',
  'audio/mp4',
  'audio/flac',
  'audio/opus',
  'audio/webm',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/mpeg',
  'video/quicktime',
  'video/x-msvideo',
  'video/x-matroska',
  'text/plain',
  'text/html',
  'text/css',
  'text/csv',
  'text/markdown',
  'text/x-python',
  'application/javascript',
  'text/x-typescript',
  'application/x-yaml',
  'application/pdf',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/zip',
  'application/json',
  'application/xml',
  'application/octet-stream',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/rtf',
  'application/x-ndjson',
  'application/vnd.apache.parquet',
  'application/gzip',
  'application/x-tar',
  'application/x-7z-compressed',
] as const

export type MediaContentType = (typeof CONTENT_TYPES)[number]

/** The names of some bytes. */
export interface MediaNames {
  /** First 22 characters of the URL-safe base64 of the SHA-256: the service computes the same. */
  readonly id: string
  /** SHA-256 in standard base64. */
  readonly sha256: string
}

/** How media stood in the text that the tag replaces. */
export type MediaSource = 'base64_data_uri' | 'bytes'

/** Whether the service stores media of that type. */
export function isMediaContentType(said: unknown): said is MediaContentType {
  return CONTENT_TYPES.some((known) => known === said)
}

export async function mediaNamesOf(bytes: Uint8Array<ArrayBuffer>): Promise<MediaNames> {
  const sha256 = toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  return { id: sha256.replaceAll('+', '-').replaceAll('/', '_').slice(0, 22), sha256 }
}

/** What stands in a text instead of media (contract 1.8). */
export function mediaTag(id: string, contentType: string, source: MediaSource): string {
  return `@@@svcMedia:type=${contentType}|id=${id}|source=${source}@@@`
}

/** Headers of the upload itself. Never our own: the URL is signed and belongs to somebody else. */
export function storageHeaders(url: string, contentType: string, sha256: string): Record<string, string> {
  const { hostname } = new URL(url)
  // Google's storage refuses the other two.
  const google = hostname === 'storage.googleapis.com' || hostname.endsWith('.storage.googleapis.com')
  if (google) return { 'content-type': contentType }
  return { 'content-type': contentType, 'x-amz-checksum-sha256': sha256, 'x-ms-blob-type': 'BlockBlob' }
}
