import { ROOT_CONTEXT } from '@opentelemetry/api'
import { log } from '@svc/core/log'
import { propagatedValues as accept } from '@svc/tracing/adapters'
import { describe, expect, it, vi } from 'vitest'
import { catchLog } from '../../test/log.ts'
import { RequestIdentity } from './request-identity.ts'
import type { Subject } from './resolution.ts'

const logged = catchLog()
const subject = {} as Subject
const identityOf = (resolve: () => unknown) =>
  new RequestIdentity(ROOT_CONTEXT, undefined, [{ option: 'user', resolve, accept }], subject)

describe('the identity of a request', () => {
  it('does not keep the process alive while a span waits for it', () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const identity = identityOf(() => undefined)
    expect(identity.pending()).toBeInstanceOf(Promise)
    expect(timers()).toBe(before)
    identity.finish()
  })

  it('runs a resolver until it returns a value, and once more when the guards have passed', () => {
    const answers = [undefined, { userId: '' }, { userId: 'anonymous', sessionId: 's1' }, { userId: 'ada' }, {}]
    const resolve = vi.fn(() => answers.shift())
    const identity = identityOf(resolve)
    for (let times = 0; times < 5; times++) identity.read()
    expect(resolve).toHaveBeenCalledTimes(3)
    expect(identity.read()).toEqual({ 'user.id': 'anonymous', 'session.id': 's1' })
    identity.resolveFinal()
    for (let times = 0; times < 5; times++) identity.read()
    expect(resolve).toHaveBeenCalledTimes(4)
    expect(identity.read()).toEqual({ 'user.id': 'ada', 'session.id': 's1' })
  })

  it('runs a resolver that returns a promise at most twice: early, and when the guards have passed', async () => {
    let user: string | undefined
    const resolve = vi.fn(async () => ({ userId: user }))
    const identity = identityOf(resolve)
    for (let times = 0; times < 5; times++) identity.read()
    user = 'ada'
    await identity.resolveFinal()
    for (let times = 0; times < 5; times++) identity.read()
    expect(resolve).toHaveBeenCalledTimes(2)
    expect(identity.read()).toEqual({ 'user.id': 'ada' })
  })

  it('runs a resolver that returns a promise once if nothing was recorded before the guards had passed', async () => {
    const resolve = vi.fn(async () => ({ userId: 'ada' }))
    const identity = identityOf(resolve)
    await identity.resolveFinal()
    identity.read()
    expect(resolve).toHaveBeenCalledTimes(1)
  })

  it('keeps the value it has when the last run fails', async () => {
    const resolve = vi.fn().mockReturnValueOnce({ userId: 'ada' }).mockRejectedValueOnce(new Error('no'))
    const identity = identityOf(resolve)
    identity.read()
    await identity.resolveFinal()
    expect(identity.read()).toEqual({ 'user.id': 'ada' })
  })

  it('accepts values from any thenable', async () => {
    // biome-ignore lint/suspicious/noThenProperty: a query builder is one of those.
    const identity = identityOf(() => ({ then: (done: (value: unknown) => void) => done({ userId: 'ada' }) }))
    await identity.resolveFinal()
    expect(identity.read()).toEqual({ 'user.id': 'ada' })
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no user')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no user'))],
  ])('warns once when the last run of a resolver %s, and not before', async (_, resolve) => {
    const identity = identityOf(resolve)
    identity.read()
    await Promise.resolve()
    expect(logged()).toEqual([])
    await identity.resolveFinal()
    await identityOf(resolve).resolveFinal()
    expect(logged()).toEqual([
      expect.stringContaining('the user resolver of SvcModule failed, so its values are missing: no user'),
    ])
    expect(identity.read()).toEqual({})
  })

  it('warns once for each resolver that fails, whatever the error is', async () => {
    for (let at = 0; at < 1_500; at++) {
      await identityOf(() => {
        throw new Error(`no user ${'x'.repeat(at)} with token ${at}`)
      }).resolveFinal()
      identityOf(() => ({ metadata: { [`key-${at}`]: 'x'.repeat(300) } })).read()
    }
    expect(logged()).toEqual([
      expect.stringContaining('the user resolver of SvcModule failed'),
      expect.stringContaining('metadata.key-0 of the user resolver of SvcModule is dropped'),
    ])
    log.once('warn', 'something else')
    expect(logged()).toHaveLength(3)
  })

  it('warns about an invalid value', () => {
    const identity = identityOf(() => ({ userId: 'x'.repeat(201) }))
    identity.read()
    expect(logged()).toEqual([expect.stringContaining('userId of the user resolver of SvcModule is dropped')])
  })

  it('merges the values of several resolvers, of which later ones win', () => {
    const identity = new RequestIdentity(
      ROOT_CONTEXT,
      undefined,
      [
        { option: 'context', resolve: () => ({ userId: 'a', tags: ['x'], metadata: { plan: 'pro' } }), accept },
        { option: 'user', resolve: () => ({ userId: 'ada' }), accept },
      ],
      subject,
    )
    identity.read()
    expect(identity.read()).toEqual({
      'user.id': 'ada',
      'svc.trace.tags': ['x'],
      'svc.trace.metadata.plan': '"pro"',
    })
  })
})
