import { toBase64 } from './base64.ts'
import type { Bytes } from './bytes.ts'

/** Media types that the service stores (contract, appendix A). It rejects any other. */
export const MediaContentType = {
  ImagePng: 'image/png',
  ImageJpeg: 'image/jpeg',
  ImageJpg: 'image/jpg',
  ImageWebp: 'image/webp',
  ImageGif: 'image/gif',
  ImageSvgXml: 'image/svg+xml',
  ImageTiff: 'image/tiff',
  ImageBmp: 'image/bmp',
  ImageAvif: 'image/avif',
  ImageHeic: 'image/heic',
  AudioMpeg: 'audio/mpeg',
  AudioMp3: 'audio/mp3',
  AudioWav: 'audio/wav',
  AudioOgg: 'audio/ogg',
  AudioOga: 'audio/oga',
  AudioAac: 'audio/aac',
  AudioMp4: 'audio/mp4',
  AudioFlac: 'audio/flac',
  AudioOpus: 'audio/opus',
  AudioWebm: 'audio/webm',
  VideoMp4: 'video/mp4',
  VideoWebm: 'video/webm',
  VideoOgg: 'video/ogg',
  VideoMpeg: 'video/mpeg',
  VideoQuicktime: 'video/quicktime',
  VideoXMsvideo: 'video/x-msvideo',
  VideoXMatroska: 'video/x-matroska',
  TextPlain: 'text/plain',
  TextHtml: 'text/html',
  TextCss: 'text/css',
  TextCsv: 'text/csv',
  TextMarkdown: 'text/markdown',
  TextXPython: 'text/x-python',
  ApplicationJavascript: 'application/javascript',
  TextXTypescript: 'text/x-typescript',
  ApplicationXYaml: 'application/x-yaml',
  ApplicationPdf: 'application/pdf',
  ApplicationMsword: 'application/msword',
  ApplicationVndMsExcel: 'application/vnd.ms-excel',
  ApplicationVndOpenxmlformatsOfficedocumentSpreadsheetmlSheet:
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ApplicationZip: 'application/zip',
  ApplicationJson: 'application/json',
  ApplicationXml: 'application/xml',
  ApplicationOctetStream: 'application/octet-stream',
  ApplicationVndOpenxmlformatsOfficedocumentWordprocessingmlDocument:
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ApplicationVndOpenxmlformatsOfficedocumentPresentationmlPresentation:
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ApplicationRtf: 'application/rtf',
  ApplicationXNdjson: 'application/x-ndjson',
  ApplicationVndApacheParquet: 'application/vnd.apache.parquet',
  ApplicationGzip: 'application/gzip',
  ApplicationXTar: 'application/x-tar',
  ApplicationX7zCompressed: 'application/x-7z-compressed',
} as const
export type MediaContentType = (typeof MediaContentType)[keyof typeof MediaContentType]

/** Names derived from the bytes of media. */
export interface MediaNames {
  /** First 22 characters of the URL-safe base64 of the SHA-256, as the service computes it. */
  readonly id: string
  /** SHA-256 in standard base64. */
  readonly sha256: string
}

/** The form of the media that a tag replaces. */
export type MediaSource = 'base64_data_uri' | 'bytes'

/** Whether the service stores media of this type. */
export function isMediaContentType(contentType: unknown): contentType is MediaContentType {
  return Object.values(MediaContentType).some((known) => known === contentType)
}

export async function mediaNamesOf(bytes: Bytes): Promise<MediaNames> {
  const sha256 = toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  return { id: sha256.replaceAll('+', '-').replaceAll('/', '_').slice(0, 22), sha256 }
}

/** Returns the tag that replaces media in a text (contract 1.8). */
export function mediaTag(id: string, contentType: string, source: MediaSource): string {
  return `@@@svcMedia:type=${contentType}|id=${id}|source=${source}@@@`
}

/** Returns the headers of an upload. Never those for the service: the signed URL is another host's. */
export function storageHeaders(url: string, contentType: string, sha256: string): Record<string, string> {
  const { hostname } = new URL(url)
  // Google's storage rejects the other headers.
  const google = hostname === 'storage.googleapis.com' || hostname.endsWith('.storage.googleapis.com')
  if (google) return { 'content-type': contentType }
  return { 'content-type': contentType, 'x-amz-checksum-sha256': sha256, 'x-ms-blob-type': 'BlockBlob' }
}
