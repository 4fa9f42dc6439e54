import { log } from '@svc/core/log'
import { describe, expect, it, vi } from 'vitest'
import { catchLog } from '../../test/log.ts'
import { Identity, type Subject } from './identity.ts'

const said = catchLog()
const subject = {} as Subject
const values = (said: unknown) => said
const identityOf = (resolve: () => unknown) => new Identity([{ option: 'user', resolve, values }], subject, () => {})

describe('who a request is for', () => {
  it('is asked until there is an answer, and once more when the guards have passed', () => {
    const answers = [undefined, { userId: '' }, { userId: 'anonymous', sessionId: 's1' }, { userId: 'ada' }, {}]
    const resolve = vi.fn(() => answers.shift())
    const identity = identityOf(resolve)
    for (let times = 0; times < 5; times++) identity.ask()
    expect(resolve).toHaveBeenCalledTimes(3)
    expect(identity.attributes).toEqual({ 'user.id': 'anonymous', 'session.id': 's1' })
    identity.resolveFinal()
    for (let times = 0; times < 5; times++) identity.ask()
    expect(resolve).toHaveBeenCalledTimes(4)
    expect(identity.attributes).toEqual({ 'user.id': 'ada', 'session.id': 's1' })
  })

  it('is asked at most twice of a resolver that needs time: early, and when the guards have passed', async () => {
    let user: string | undefined
    const resolve = vi.fn(async () => ({ userId: user }))
    const identity = identityOf(resolve)
    for (let times = 0; times < 5; times++) identity.ask()
    user = 'ada'
    await identity.resolveFinal()
    for (let times = 0; times < 5; times++) identity.ask()
    expect(resolve).toHaveBeenCalledTimes(2)
    expect(identity.attributes).toEqual({ 'user.id': 'ada' })
  })

  it('is asked once of one that needs time, when nothing was recorded before the guards had passed', async () => {
    const resolve = vi.fn(async () => ({ userId: 'ada' }))
    const identity = identityOf(resolve)
    await identity.resolveFinal()
    identity.ask()
    expect(resolve).toHaveBeenCalledTimes(1)
  })

  it('is still known as it was before, when the last question goes wrong', async () => {
    const resolve = vi.fn().mockReturnValueOnce({ userId: 'ada' }).mockRejectedValueOnce(new Error('no'))
    const identity = identityOf(resolve)
    identity.ask()
    await identity.resolveFinal()
    expect(identity.attributes).toEqual({ 'user.id': 'ada' })
  })

  it('takes an answer from anything that can be awaited', async () => {
    // biome-ignore lint/suspicious/noThenProperty: a query builder is one of those.
    const identity = identityOf(() => ({ then: (done: (value: unknown) => void) => done({ userId: 'ada' }) }))
    await identity.resolveFinal()
    expect(identity.attributes).toEqual({ 'user.id': 'ada' })
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no user')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no user'))],
  ])('says once what goes wrong in the end, when a resolver %s, and nothing before', async (_, resolve) => {
    const identity = identityOf(resolve)
    identity.ask()
    await Promise.resolve()
    expect(said()).toEqual([])
    await identity.resolveFinal()
    await identityOf(resolve).resolveFinal()
    expect(said()).toEqual([
      expect.stringContaining('the user resolver of SvcModule failed, so its values are missing: no user'),
    ])
    expect(identity.attributes).toEqual({})
  })

  it('says once for each resolver that it fails, whatever it says', async () => {
    for (let at = 0; at < 1_500; at++) {
      await identityOf(() => {
        throw new Error(`no user ${'x'.repeat(at)} with token ${at}`)
      }).resolveFinal()
      identityOf(() => ({ metadata: { [`key-${at}`]: 'x'.repeat(300) } })).ask()
    }
    expect(said()).toEqual([
      expect.stringContaining('the user resolver of SvcModule failed'),
      expect.stringContaining('metadata.key-0 of the user resolver of SvcModule is dropped'),
    ])
    log.once('warn', 'something else')
    expect(said()).toHaveLength(3)
  })

  it('says what it cannot take', () => {
    const identity = identityOf(() => ({ userId: 'x'.repeat(201) }))
    identity.ask()
    expect(said()).toEqual([expect.stringContaining('userId of the user resolver of SvcModule is dropped')])
  })

  it('joins what several resolvers say; later ones win', () => {
    const identity = new Identity(
      [
        { option: 'context', resolve: () => ({ userId: 'a', tags: ['x'], metadata: { plan: 'pro' } }), values },
        { option: 'user', resolve: () => ({ userId: 'ada' }), values },
      ],
      subject,
      () => {},
    )
    identity.ask()
    expect(identity.attributes).toEqual({
      'user.id': 'ada',
      'svc.trace.tags': ['x'],
      'svc.trace.metadata.plan': '"pro"',
    })
  })
})
