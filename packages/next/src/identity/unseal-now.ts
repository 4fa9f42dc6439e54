import { attempt } from '@svc/core/attempt'
import { type Forwarded, isInTime, sealSecret } from './seal.ts'

/** The same as `unseal`, at once: spans start without waiting. Of Node, whose `crypto` can. */
export function unsealNow(header: string, now: number = Date.now()): Forwarded | undefined {
  return attempt('read the identity of a request', () => {
    const { createHmac, timingSafeEqual } = process.getBuiltinModule('node:crypto')
    const [text = '', signature = ''] = header.split('.')
    const expected = createHmac('sha256', sealSecret()).update(text).digest()
    const given = Buffer.from(signature, 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    return isInTime(JSON.parse(Buffer.from(text, 'base64url').toString()), now)
  })
}
