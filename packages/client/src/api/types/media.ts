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

/** How an upload went: the status of the storage and the milliseconds it took. */
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

/** Where the bytes go, and the id they have. */
export interface GetMediaUploadUrlResponse {
  /** Where the bytes go; missing or null when the service has them already. */
  uploadUrl?: string | null
  mediaId: string
}
