import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setHost } from '../host.ts'
import { seal, unseal as unsealInTime } from './seal.ts'
import { unsealNow } from './unseal-now.ts'

const forwarded = {
  identity: { userId: 'ada', metadata: { plan: 'pro', seats: 5 } },
  parent: { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 },
}

beforeEach(() => {
  vi.stubEnv('SVC_SECRET_KEY', 'sk-1')
  setHost({})
  return () => vi.unstubAllEnvs()
})

describe.each([
  ['in any runtime', unsealInTime],
  ['at once, on Node', unsealNow],
])('the signed header of a proxy, read %s,', (_, unseal) => {
  it('is valid with the same secret key', async () => {
    expect(await unseal(await seal(forwarded))).toEqual(forwarded)
  })

  it('fits into a header, whatever it contains', async () => {
    const text = await seal({ identity: { userId: 'Ada Lövelace 🙂', sessionId: 'a,b;c="d"' } })
    expect(() => new Headers({ 'x-any': text })).not.toThrow()
    expect((await unseal(text))?.identity.userId).toBe('Ada Lövelace 🙂')
  })

  it('is invalid with another secret key', async () => {
    const text = await seal(forwarded)
    vi.stubEnv('SVC_SECRET_KEY', 'sk-2')
    expect(await unseal(text)).toBeUndefined()
  })

  it('is valid in the same process without a secret key', async () => {
    vi.stubEnv('SVC_SECRET_KEY', '')
    expect(await unseal(await seal(forwarded))).toEqual(forwarded)
  })

  it('is valid in another process whose secret key is an option of registerSvc', async () => {
    vi.stubEnv('SVC_SECRET_KEY', '')
    setHost({ service: { secretKey: 'sk-option' } })
    const text = await seal(forwarded)
    Reflect.deleteProperty(globalThis, Symbol.for('svc.next-seal.6'))
    expect(await unseal(text)).toEqual(forwarded)
  })

  it('expires', async () => {
    const text = await seal(forwarded, 1_000_000)
    expect(await unseal(text, 1_200_000)).toEqual(forwarded)
    expect(await unseal(text, 1_400_000)).toBeUndefined()
  })

  it('is invalid if it comes from the future, beyond the difference of two clocks', async () => {
    const text = await seal(forwarded, 1_400_000)
    expect(await unseal(text, 1_200_000)).toEqual(forwarded)
    expect(await unseal(text, 1_000_000)).toBeUndefined()
  })

  it.each([null, undefined, '', '.', 'text', 'a.b', '{}.{}', 'e30.e30', 'ÿ.ÿ'])(
    'is invalid with the value %j',
    async (text) => {
      expect(await unseal(text as string)).toBeUndefined()
    },
  )

  it('is invalid if it was modified', async () => {
    const [, signature] = (await seal(forwarded)).split('.')
    const other = Buffer.from(JSON.stringify({ identity: { userId: 'evil' }, at: Date.now() })).toString('base64url')
    expect(await unseal(`${other}.${signature}`)).toBeUndefined()
  })
})
