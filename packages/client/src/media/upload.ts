import { fetchSender } from '@svc/core/delivery/send-fetch'
import { foreignText } from '@svc/core/foreign-text'
import { messageOf } from '@svc/core/log'
import { isMediaContentType } from '@svc/core/media'
import { type Media, type MediaPlace, uploadMedia } from '@svc/core/upload-media'
import type { SvcApi } from '../api/bind.ts'
import type { ClientClock } from '../clock.ts'
import { isText, misuse } from '../misuse.ts'
import type { SvcMedia } from './svc-media.ts'

export interface MediaUploadParts {
  readonly api: { readonly media: Pick<SvcApi['media'], 'getUploadUrl' | 'patch'> }
  readonly clock: ClientClock
}

/** Time-out of the storage in milliseconds, retries included. */
const STORAGE_LIMIT_MS = 60_000

/**
 * Uploads media of a trace or a dataset item.
 *
 * @throws {Error} with the reason: no content, an unsupported type, or the error of the service or storage
 */
export async function upload({ api, clock }: MediaUploadParts, media: SvcMedia, place: MediaPlace): Promise<void> {
  if (typeof media?.getSha256Hash !== 'function') throw misuse('media.upload', 'an SvcMedia', media)
  if (!isText(place?.field)) throw misuse('media.upload', "a place with the field: { field: 'input', … }", place)
  const file = await readMedia(media)
  const parts = { api: api.media, storage: fetchSender(), clock, storageLimitMs: STORAGE_LIMIT_MS }
  try {
    await uploadMedia(parts, file, place)
  } catch (cause) {
    const { id, contentType, bytes } = file
    const reason = foreignText(messageOf(cause), 1_000)
    throw new Error(`Media ${id} (${contentType}, ${bytes.length} bytes) was not uploaded: ${reason}.`, { cause })
  }
}

async function readMedia(media: SvcMedia): Promise<Media> {
  const { contentType, contentBytes: bytes } = media
  const [id, sha256] = await Promise.all([media.getId(), media.getSha256Hash()])
  if (!bytes || !contentType || !id || !sha256) throw new Error('Media without content cannot be uploaded.')
  if (bytes.length === 0) throw new Error(`Media of type ${contentType} cannot be uploaded: it is empty.`)
  if (!isMediaContentType(contentType)) {
    throw new Error(`Media ${id} was not uploaded: the service does not store ${contentType}.`)
  }
  return { id, sha256, contentType, bytes }
}
