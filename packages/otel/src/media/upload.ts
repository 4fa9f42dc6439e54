import type { Target } from '@svc/core/delivery/outbox-parts'
import { bodyText, type HttpSender, isSuccess } from '@svc/core/http-exchange'
import { messageOf } from '@svc/core/log'
import { storageHeaders } from '@svc/core/media'
import type { Upload } from './lift.ts'
import type { Media } from './media.ts'
import type { UploadClock } from './retry.ts'

/** What an upload needs: the service (`api` tries again by itself) and a plain sender for wherever the bytes go. */
export interface UploadParts {
  readonly target: Target
  readonly api: HttpSender
  readonly storage: HttpSender
  readonly timeoutMs: number
  readonly clock: UploadClock
}

const RETRIES = 3
const FIRST_PAUSE_MS = 1_000
/** Milliseconds the bytes may take to the storage, retries included. */
const STORAGE_LIMIT_MS = 30_000

/**
 * One upload (contract 3.6): ask the service where to, put the bytes there, report how it went. Rejects with a
 * sentence that says what went wrong.
 */
export async function upload(parts: UploadParts, { media, traceId, observationId, field }: Upload): Promise<void> {
  const place = await ask(parts, {
    traceId,
    observationId,
    field,
    contentType: media.contentType,
    contentLength: media.bytes.length,
    sha256Hash: media.sha256,
  })
  if (place.uploadUrl === undefined) return
  if (place.mediaId !== media.id) throw new Error(`the service calls it ${place.mediaId}`)

  const started = parts.clock.now()
  const outcome = await put(parts, place.uploadUrl, media)
  await report(parts, media, outcome, Math.round(parts.clock.now() - started))
  if (!isStored(outcome.status)) throw new Error(outcome.error || `the storage answered ${outcome.status}`)
}

async function ask(parts: UploadParts, question: object): Promise<{ mediaId: string; uploadUrl: string | undefined }> {
  const answer = await call(parts, 'POST', parts.target.url, question)
  if (!isSuccess(answer)) throw new Error(`${new URL(parts.target.url).host} answered ${answer.status}`)
  const { mediaId, uploadUrl } = JSON.parse(bodyText(answer)) as { mediaId?: unknown; uploadUrl?: unknown }
  if (typeof mediaId !== 'string') throw new Error('the service gave no media id')
  return { mediaId, uploadUrl: typeof uploadUrl === 'string' ? uploadUrl : undefined }
}

interface Outcome {
  readonly status: number
  readonly error: string
}

async function put({ storage, clock }: UploadParts, url: string, media: Media): Promise<Outcome> {
  const deadline = clock.now() + STORAGE_LIMIT_MS
  const headers = storageHeaders(url, media.contentType, media.sha256)
  for (let tries = 0; ; tries++) {
    const timeoutMs = Math.max(1, deadline - clock.now())
    const outcome = await storage.send({ method: 'PUT', url, headers, body: media.bytes, timeoutMs }).then(
      (response): Outcome => ({ status: response.status, error: isStored(response.status) ? '' : bodyText(response) }),
      (error: unknown): Outcome => ({ status: 0, error: messageOf(error) }),
    )
    const pause = FIRST_PAUSE_MS * (2 ** tries + clock.random())
    if (isStored(outcome.status) || tries >= RETRIES || clock.now() + pause >= deadline) return outcome
    await clock.sleep(pause)
  }
}

async function report(parts: UploadParts, media: Media, { status, error }: Outcome, uploadTimeMs: number) {
  const payload = {
    uploadedAt: new Date().toISOString(),
    uploadHttpStatus: status,
    ...(error ? { uploadHttpError: error.slice(0, 1_000) } : {}),
    uploadTimeMs,
  }
  const answer = await call(parts, 'PATCH', `${parts.target.url}/${media.id}`, payload)
  if (!isSuccess(answer)) throw new Error(`the service answered its report with ${answer.status}`)
}

function call({ api, target, timeoutMs }: UploadParts, method: 'POST' | 'PATCH', url: string, payload: object) {
  const body = new TextEncoder().encode(JSON.stringify(payload))
  return api.send({ method, url, headers: target.headers, body, timeoutMs })
}

const isStored = (status: number): boolean => status === 200 || status === 201
