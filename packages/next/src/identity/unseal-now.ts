import { attempt } from '@svc/core/attempt'
import { builtin } from '@svc/core/builtin'
import { type Forwarded, isInTime, sealSecret } from './seal.ts'

/** Does what `unseal` does, at once: spans start without waiting. Only the `crypto` of Node can. */
export function unsealNow(header: string, now: number = Date.now()): Forwarded | undefined {
  return attempt('read the identity of a request', () => {
    const crypto = builtin('node:crypto')
    if (!crypto) return undefined
    const [text = '', signature = ''] = header.split('.')
    const expected = crypto.createHmac('sha256', sealSecret()).update(text).digest()
    const given = Buffer.from(signature, 'base64url')
    if (given.length !== expected.length || !crypto.timingSafeEqual(given, expected)) return undefined
    return isInTime(JSON.parse(Buffer.from(text, 'base64url').toString()), now)
  })
}
