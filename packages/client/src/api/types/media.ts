import type { MediaContentType } from '@svc/core/media'
import type { Moment } from './pages.ts'

/** Stored media. `url` is signed and expires. */
export interface GetMediaResponse {
  mediaId: string
  contentType: string
  contentLength: number
  uploadedAt: string
  url: string
  urlExpiry: string
}

/** The outcome of an upload: the status of the storage and the duration in milliseconds. */
export interface PatchMediaBody {
  uploadedAt: Moment
  uploadHttpStatus: number
  uploadHttpError?: string | undefined
  uploadTimeMs?: number | undefined
}

/**
 * `sha256Hash` is in base64, `contentLength` in bytes; `field` is `input`, `output`, `expectedOutput` or `metadata`.
 */
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

/** The upload URL of media, and their id. */
export interface GetMediaUploadUrlResponse {
  /** The upload URL; missing or null if the service already has the bytes. */
  uploadUrl?: string | null
  mediaId: string
}
