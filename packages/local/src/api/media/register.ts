import { isMediaContentType } from '@svc/core/media'
import * as v from 'valibot'
import { type Answer, json, notFound } from '../../http/answer.ts'
import { date, name, optional, readFields, text, whole, word } from '../../http/fields.ts'
import type { Call } from '../../http/router.ts'
import type { WriteService } from '../../service.ts'
import { MAX_MEDIA_BYTES, type StoredMedia } from '../../store/media.ts'
import type { ReadStore } from '../../store/read-store.ts'
import { jsonBody } from '../body.ts'
import { signedUrl } from './signed-url.ts'

const SHA256 = /^[A-Za-z0-9+/]{43}=$/
const MEDIA_FIELDS = ['input', 'output', 'metadata', 'expectedOutput']

/** `GetMediaUploadUrlRequest` (appendix A). */
const UPLOAD_FIELDS = {
  contentType: v.pipe(
    text,
    v.check((type) => isMediaContentType(type), 'not a content type that can be stored'),
  ),
  contentLength: v.pipe(
    whole,
    v.check((bytes) => bytes > 0 && bytes <= MAX_MEDIA_BYTES, `expected 1 to ${MAX_MEDIA_BYTES} bytes`),
  ),
  sha256Hash: v.pipe(text, v.regex(SHA256, 'expected the 32 bytes of a SHA-256 in base64')),
  field: v.pipe(text, word(MEDIA_FIELDS)),
  traceId: optional(name),
  observationId: optional(name),
  datasetId: optional(name),
  datasetItemId: optional(name),
}

/** `POST /api/public/media`: where to send the bytes, or that they are here already (contract 3.6). */
export async function registerMedia(call: Call, service: WriteService): Promise<Answer> {
  const { contentType, contentLength, sha256Hash } = readFields(await jsonBody(call), UPLOAD_FIELDS)
  const { store } = service
  const id = sha256Hash.replaceAll('+', '-').replaceAll('/', '_').slice(0, 22)
  if (isUploaded(id, store)) return json(201, { mediaId: id, uploadUrl: null })
  store.write(() => store.media.put({ id, contentType, contentLength, sha256Hash, uploadedAt: null }))
  return json(201, { mediaId: id, uploadUrl: signedUrl('PUT', id, call, service).url })
}

/** `PatchMediaBody` (appendix A). */
const RESULT_FIELDS = {
  uploadedAt: date,
  uploadHttpStatus: whole,
  uploadHttpError: optional(text),
  uploadTimeMs: optional(v.number('expected a whole number')),
}

/** `PATCH /api/public/media/{mediaId}`: the client reports how the upload went. */
export async function patchMedia(call: Call, { store }: WriteService): Promise<Answer> {
  const { uploadedAt, uploadHttpStatus } = readFields(await jsonBody(call), RESULT_FIELDS)
  const media = knownMedia(call.params.mediaId ?? '', store)
  if (uploadHttpStatus === 200 || uploadHttpStatus === 201) store.media.put({ ...media, uploadedAt })
  return { status: 200 }
}

/** `GET /api/public/media/{mediaId}` of a file that was uploaded: `GetMediaResponse` (appendix A). */
export function getMedia(call: Call, service: WriteService): Answer {
  const media = knownMedia(call.params.mediaId ?? '', service.store)
  if (!isUploaded(media.id, service.store)) throw notFound(`Media not uploaded yet: '${media.id}'`)
  const { id, contentType, contentLength, uploadedAt } = media
  return json(200, {
    mediaId: id,
    contentType,
    contentLength,
    uploadedAt: new Date(uploadedAt ?? 0).toISOString(),
    ...signedUrl('GET', id, call, service),
  })
}

/** @throws Refusal 404 */
export function knownMedia(id: string, { media }: ReadStore): StoredMedia {
  const known = media.one({ id })
  if (!known) throw notFound(`Media not found: '${id}'`)
  return known
}

export const isUploaded = (id: string, { mediaContent }: ReadStore): boolean =>
  mediaContent.count({ sql: 'WHERE id = ?', values: [id] }) > 0
