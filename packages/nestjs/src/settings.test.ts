import { describe, expect, it } from 'vitest'
import { catchLog } from '../test/log.ts'
import { Identity, type Subject } from './scope/identity.ts'
import { settingsOf } from './settings.ts'

const said = catchLog()

/** Whom the `user` resolver of the module names. */
async function userOf(user: () => unknown): Promise<unknown> {
  const { resolvers } = settingsOf({ user: user as () => string }, true)
  const identity = new Identity(resolvers, {} as Subject, () => {})
  await identity.resolveFinal()
  return identity.attributes['user.id']
}

describe('an id', () => {
  it.each([
    ['a text', 'ada', 'ada'],
    ['a number', 7, '7'],
    ['zero', 0, '0'],
    ['a large number', 7n, '7'],
    ['a promise', Promise.resolve(7), '7'],
    // biome-ignore lint/suspicious/noThenProperty: query builders are like that.
    ['what is a promise once it is awaited', { then: (found: (id: number) => void) => found(7) }, '7'],
    ['no number', Number.NaN, undefined],
    ['nobody', null, undefined],
  ])('may be %s', async (_, id, expected) => {
    expect(await userOf(() => id)).toBe(expected)
    expect(said()).toEqual([])
  })

  it.each([
    [7, '7'],
    [7n, '7'],
    ['ada', 'ada'],
  ])('may be %s in what the context resolver says', async (userId, expected) => {
    const { resolvers } = settingsOf({ context: () => ({ userId, sessionId: 0, tags: ['a'] }) }, true)
    const identity = new Identity(resolvers, {} as Subject, () => {})
    await identity.resolveFinal()
    expect(identity.attributes).toEqual({ 'user.id': expected, 'session.id': '0', 'svc.trace.tags': ['a'] })
    expect(said()).toEqual([])
  })

  it('that is an object is dropped with a word', async () => {
    expect(await userOf(() => ({ id: 7 }))).toBe(undefined)
    expect(said()).toEqual([expect.stringContaining('userId of the user resolver of SvcModule is dropped')])
  })
})
