import { createHash } from 'node:crypto'
import type { Bytes } from '@svc/core/bytes'
import { type Answer, notFound, Refusal } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService, WriteService } from '../../service.ts'
import { MAX_MEDIA_BYTES, type StoredMedia } from '../../store/media.ts'
import { knownMedia } from './register.ts'
import { checkSigned } from './signed-url.ts'

export const MEDIA_LIMITS = { wire: MAX_MEDIA_BYTES, decoded: MAX_MEDIA_BYTES }

/** `PUT` to the URL that {@link registerMedia} gave: the bytes, which must be those that were announced. */
export async function putContent(call: Call, service: WriteService): Promise<Answer> {
  const { store } = service
  const media = knownMedia(checkSigned(call, service), store)
  const bytes = await call.body(MEDIA_LIMITS)
  const wrong = issueOf(bytes, call, media)
  if (wrong) throw new Refusal(400, wrong, 'BadDigest')
  store.write(() => {
    store.mediaContent.put({ id: media.id, bytes: bytes as Bytes })
    store.media.put({ ...media, uploadedAt: Date.now() })
  })
  return { status: 200 }
}

function issueOf(bytes: Buffer, { headers }: Call, { contentType, contentLength, sha256Hash }: StoredMedia) {
  const checksum = headers['x-amz-checksum-sha256']
  if (headers['content-type'] !== contentType) return `The Content-Type is not ${contentType}, as it was announced`
  if (checksum !== undefined && checksum !== sha256Hash) return 'x-amz-checksum-sha256 is not the announced hash'
  if (bytes.length !== contentLength) return `Got ${bytes.length} bytes, ${contentLength} were announced`
  return createHash('sha256').update(bytes).digest('base64') !== sha256Hash && 'The bytes have another hash'
}

/** `GET` of the bytes, at the URL that a reader of the media file got. */
export function getContent(call: Call, service: ReadService): Answer {
  const { contentType, id } = knownMedia(checkSigned(call, service), service.store)
  const content = service.store.mediaContent.one({ id })
  if (!content) throw notFound(`Media not uploaded yet: '${id}'`)
  return { status: 200, headers: { 'content-type': contentType, ...CAGE }, body: content.bytes }
}

// A stranger's HTML or SVG must not run on the origin of this service.
const CAGE = { 'content-disposition': 'attachment', 'content-security-policy': "default-src 'none'; sandbox" }
