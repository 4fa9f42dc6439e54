import type { Moment } from './pages.ts'

export interface GetMediaResponse {
  mediaId: string
  contentType: string
  contentLength: number
  uploadedAt: string
  url: string
  urlExpiry: string
}

export interface PatchMediaBody {
  uploadedAt: Moment
  uploadHttpStatus: number
  uploadHttpError?: string | undefined
  uploadTimeMs?: number | undefined
}

export interface GetMediaUploadUrlRequest {
  traceId?: string | undefined
  observationId?: string | undefined
  datasetId?: string | undefined
  datasetItemId?: string | undefined
  contentType: MediaContentType
  contentLength: number
  sha256Hash: string
  field: string
}

export interface GetMediaUploadUrlResponse {
  /** Where the bytes go; missing or null when the service has them already. */
  uploadUrl?: string | null
  mediaId: string
}

export type MediaContentType =
  | 'image/png'
  | 'image/jpeg'
  | 'image/jpg'
  | 'image/webp'
  | 'image/gif'
  | 'image/svg+xml'
  | 'image/tiff'
  | 'image/bmp'
  | 'image/avif'
  | 'image/heic'
  | 'audio/mpeg'
  | 'audio/mp3'
  | 'audio/wav'
  | 'audio/ogg'
  | 'audio/oga'
  | 'audio/aac'
  | 'audio/mp4'
  | 'audio/flac'
  | 'audio/opus'
  | 'audio/webm'
  | 'video/mp4'
  | 'video/webm'
  | 'video/ogg'
  | 'video/mpeg'
  | 'video/quicktime'
  | 'video/x-msvideo'
  | 'video/x-matroska'
  | 'text/plain'
  | 'text/html'
  | 'text/css'
  | 'text/csv'
  | 'text/markdown'
  | 'text/x-python'
  | 'application/javascript'
  | 'text/x-typescript'
  | 'application/x-yaml'
  | 'application/pdf'
  | 'application/msword'
  | 'application/vnd.ms-excel'
  | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  | 'application/zip'
  | 'application/json'
  | 'application/xml'
  | 'application/octet-stream'
  | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  | 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
  | 'application/rtf'
  | 'application/x-ndjson'
  | 'application/vnd.apache.parquet'
  | 'application/gzip'
  | 'application/x-tar'
  | 'application/x-7z-compressed'
