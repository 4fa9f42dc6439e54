import type { Bytes } from './bytes.ts'
import { foreignText } from './foreign-text.ts'
import { bodyText, type HttpSender } from './http-exchange.ts'
import { messageOf } from './log.ts'
import { type MediaContentType, type MediaNames, storageHeaders } from './media.ts'
import { type RetryClock, retrying } from './retry.ts'

/** Media to upload: the bytes, and the names derived from them. */
export interface Media extends MediaNames {
  readonly contentType: MediaContentType
  readonly bytes: Bytes
}

/** The record and field that media belong to. */
export interface MediaPlace {
  /** `input`, `output`, `expectedOutput` or `metadata`. */
  readonly field: string
  readonly traceId?: string | undefined
  readonly observationId?: string | undefined
  readonly datasetId?: string | undefined
  readonly datasetItemId?: string | undefined
}

/** The outcome of an upload, for the service. */
export interface UploadReport {
  readonly uploadedAt: Date
  /** 0 if the storage could not be reached. */
  readonly uploadHttpStatus: number
  readonly uploadHttpError?: string | undefined
  readonly uploadTimeMs: number
}

/** The requests to the service for an upload. Both reject unless the service reports success. */
export interface MediaApi {
  /** Requests the upload URL of media. Without `uploadUrl`, the service already has the bytes. */
  getUploadUrl(
    request: MediaPlace & { contentType: MediaContentType; contentLength: number; sha256Hash: string },
  ): Promise<{ readonly mediaId: string; readonly uploadUrl?: string | null | undefined }>
  patch(mediaId: string, report: UploadReport): Promise<unknown>
}

export interface UploadParts {
  readonly api: MediaApi
  /** Sends the bytes, to any host. */
  readonly storage: HttpSender
  readonly clock: RetryClock
  /** Time-out of the storage in milliseconds, retries included. */
  readonly storageLimitMs: number
}

const RETRIES = 3
/** Maximum characters of the storage's error in the report. */
const REPORTED = 1_000

/**
 * Uploads media (contract 3.6): gets a URL from the service, sends the bytes there, and reports the outcome. Bytes that
 * the service already has are not sent. The storage is tried up to four times while it cannot be reached or responds
 * with 408, 425, 429 or 5xx; any other response is final.
 *
 * @throws {Error} with the reason, without a full stop
 */
export async function uploadMedia(parts: UploadParts, media: Media, place: MediaPlace): Promise<void> {
  const { api, clock } = parts
  const { id, contentType, bytes, sha256: sha256Hash } = media
  const request = { ...place, contentType, contentLength: bytes.length, sha256Hash }
  const { mediaId, uploadUrl } = await api.getUploadUrl(request)
  if (!uploadUrl) return
  if (mediaId !== id) throw new Error(`the service returned another id, ${foreignText(mediaId)}`)
  const started = clock.now()
  const { status, error } = await put(parts, uploadUrl, media)
  await api.patch(id, {
    uploadedAt: new Date(),
    uploadHttpStatus: status,
    ...(error && { uploadHttpError: foreignText(error, REPORTED) }),
    uploadTimeMs: Math.round(clock.now() - started),
  })
  if (!isStored(status)) throw new Error(explain(status, error))
}

interface Outcome {
  /** 0 if there was no response. */
  readonly status: number
  readonly error: string
}

function put({ storage, clock, storageLimitMs }: UploadParts, url: string, media: Media): Promise<Outcome> {
  const headers = storageHeaders(url, media.contentType, media.sha256)
  return retrying(storage, clock, RETRIES)
    .send({ method: 'PUT', url, headers, body: media.bytes, timeoutMs: storageLimitMs })
    .then(
      (response) => ({ status: response.status, error: isStored(response.status) ? '' : bodyText(response) }),
      (error: unknown) => ({ status: 0, error: messageOf((error as { cause?: unknown })?.cause ?? error) }),
    )
}

const isStored = (status: number): boolean => status === 200 || status === 201

function explain(status: number, error: string): string {
  const detail = foreignText(error)
  if (status === 0) return `the storage cannot be reached: ${detail}`
  if (status === 413) return 'it is too large for the storage (413)'
  return `the storage answered ${status}${detail && `: ${detail}`}`
}
