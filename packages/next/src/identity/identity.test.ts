import { expect, it, vi } from 'vitest'
import { mergeIdentities, resolveIdentity } from './identity.ts'

it('identity values are used directly, functions are called with the arguments, and missing values are omitted', async () => {
  const options = {
    user: async (id: string) => `user ${id}`,
    session: () => null,
    tags: ['a'],
    metadata: (id: string) => ({ id }),
    version: '',
  }
  expect(await resolveIdentity(options, ['1'])).toEqual({ userId: 'user 1', tags: ['a'], metadata: { id: '1' } })
})

it('a failing identity resolver is reported once, whatever its errors are, and the others are used', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  let requests = 0
  const fail = () => {
    throw new Error(`no database for request ${++requests}`)
  }
  expect(await resolveIdentity({ user: fail, session: 's' }, [])).toEqual({ sessionId: 's' })
  expect(await resolveIdentity({ user: async () => fail() }, [])).toEqual({})
  expect(warn.mock.calls.map(String)).toEqual([
    expect.stringContaining('the resolver of user failed, so a request has none: no database for request 1'),
  ])
  warn.mockRestore()
})

it('an identity resolver that never settles is reported after two seconds, and the others are used', async () => {
  vi.useFakeTimers()
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  let found: unknown
  const hangs = () => new Promise<string>(() => {})
  void resolveIdentity({ user: () => 'ada', session: hangs, metadata: async () => ({ a: 1 }) }, []).then((identity) => {
    found = identity
  })
  await vi.advanceTimersByTimeAsync(1_999)
  expect(found).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(found).toEqual({ userId: 'ada', metadata: { a: 1 } })
  expect(warn.mock.calls.flat().join()).toMatch(
    /the resolver of session failed, so a request has none: no answer within 2 s/,
  )
  vi.useRealTimers()
  warn.mockRestore()
})

it('an inner identity wins over an outer one, with tags joined and metadata merged', () => {
  const outer = { userId: 'a', sessionId: 's', tags: ['x'], metadata: { one: 1, two: 1 } }
  expect(mergeIdentities(outer, { userId: 'b', tags: ['y'], metadata: { two: 2 } })).toEqual({
    userId: 'b',
    sessionId: 's',
    tags: ['x', 'y'],
    metadata: { one: 1, two: 2 },
  })
  expect(mergeIdentities(undefined, { userId: 'b' })).toEqual({ userId: 'b' })
})

it('tags that are no list do not fail a request that the proxy knows, and are left to the check of each tag', () => {
  for (const tags of [5, { a: 1 }, 'vip']) {
    const inner = { tags: tags as unknown as string[] }
    expect(mergeIdentities({ userId: 'a', tags: ['x'] }, inner)).toMatchObject({ userId: 'a', tags: ['x', tags] })
  }
})

it('metadata that throws when it is read does not fail a request that the proxy knows', () => {
  const metadata = {
    plan: 'pro',
    get seats() {
      throw new Error('gone')
    },
  }
  expect(mergeIdentities({ metadata: { one: 1 } }, { metadata })).toMatchObject({
    metadata: { one: 1, plan: 'pro', seats: '[Throws: gone]' },
  })
})
