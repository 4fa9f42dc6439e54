import type { MediaContentType } from '@svc/core/media'
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
