import { createHmac, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'

/** A signed URL is valid for it, in milliseconds. */
const LIFETIME = 60 * 60 * 1_000

/** A URL under which one media file can be read or written without keys, for an hour. */
export interface SignedUrl {
  readonly url: string
  /** ISO 8601. */
  readonly urlExpiry: string
}

/** @param call the request: the URL has the host by which this service was reached. */
export function signedUrl(
  method: 'GET' | 'PUT',
  id: string,
  call: Call,
  { keys }: Pick<ReadService, 'keys'>,
  now = Date.now(),
): SignedUrl {
  const expires = String(now + LIFETIME)
  const signature = signatureOf(method, id, expires, keys.secretKey)
  return {
    url: `http://${call.headers.host}/api/media/${id}?expires=${expires}&signature=${signature}`,
    urlExpiry: new Date(now + LIFETIME).toISOString(),
  }
}

/** @returns the id of the media file. @throws Refusal 403 when the URL was not signed here, or no longer holds. */
export function checkSigned(
  { method, params, query }: Call,
  { keys }: Pick<ReadService, 'keys'>,
  now = Date.now(),
): string {
  const id = params.mediaId ?? ''
  const expires = query.get('expires') ?? ''
  const expected = Buffer.from(signatureOf(method === 'HEAD' ? 'GET' : method, id, expires, keys.secretKey))
  const signature = Buffer.from(query.get('signature') ?? '')
  const signed = signature.length === expected.length && timingSafeEqual(signature, expected)
  if (!signed) throw new Refusal(403, 'The URL of the media file is not signed by this service', 'Forbidden')
  if (Number(expires) < now) throw new Refusal(403, 'The URL of the media file has expired', 'Forbidden')
  return id
}

function signatureOf(method: string, id: string, expires: string, secretKey: string): string {
  return createHmac('sha256', secretKey).update(`${method}\n${id}\n${expires}`).digest('base64url')
}
