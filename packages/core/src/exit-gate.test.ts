import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ExitParty, flushParties, guardExit } from './exit-gate.ts'
import { configureGlobalLogger, LogLevel, resetGlobalLogger } from './log.ts'

// How processes end is in test/preload/ends.test.ts and test/client/score-exit.test.ts.

let said: string[]
beforeEach(() => {
  said = []
  vi.spyOn(console, 'warn').mockImplementation((line) => void said.push(line))
  configureGlobalLogger({ level: LogLevel.WARN, prefix: 'svc:', enableTimestamp: false })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  resetGlobalLogger()
})

function party(options: Partial<ExitParty> = {}) {
  const flush = vi.fn(async () => {})
  const guard = guardExit({
    what: 'things',
    destination: 'the service',
    flush,
    pending: () => false,
    timeout: 1_000,
    ...options,
  })
  return { guard, flush }
}

const beforeExit = () => process.emit('beforeExit', 0)
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a flush of all parties', () => {
  it('reaches each of them, and a party that fails keeps it from nobody', async () => {
    const failing = party({ flush: () => Promise.reject(new Error('no')) })
    const [one, two] = [party(), party()]
    await flushParties()
    expect(one.flush).toHaveBeenCalledOnce()
    expect(two.flush).toHaveBeenCalledOnce()
    for (const { guard } of [failing, one, two]) guard.leave()
    await flushParties()
    expect(one.flush).toHaveBeenCalledOnce()
  })

  it('reaches parties of another copy of this module', async () => {
    vi.resetModules()
    const copy = await import('./exit-gate.ts')
    expect(copy.flushParties).not.toBe(flushParties)
    const { guard, flush } = party()
    await copy.flushParties()
    expect(flush).toHaveBeenCalledOnce()
    guard.leave()
  })
})

describe('when nothing is left to do', () => {
  it('who had something is flushed, once, and the application hears of it only afterwards', async () => {
    const heard = vi.fn()
    process.on('beforeExit', heard)
    const { guard, flush } = party()
    beforeExit()
    expect(flush).not.toHaveBeenCalled()
    guard.arm()
    heard.mockClear()
    beforeExit()
    expect(flush).toHaveBeenCalledOnce()
    expect(heard).not.toHaveBeenCalled()
    await turn()
    beforeExit()
    expect(flush).toHaveBeenCalledOnce()
    expect(heard).toHaveBeenCalledOnce()
    process.off('beforeExit', heard)
    guard.leave()
  })

  it('who has more is flushed again, and ends what is open first', async () => {
    const order: string[] = []
    const { guard } = party({
      finish: () => void order.push('finish'),
      flush: async () => void order.push('flush'),
      pending: () => true,
    })
    guard.arm()
    beforeExit()
    await turn()
    beforeExit()
    await turn()
    expect(order).toEqual(['finish', 'flush', 'finish', 'flush'])
    guard.leave()
  })

  it('who is too slow is given up on, each by name', async () => {
    const heard = vi.fn()
    process.on('beforeExit', heard)
    const never = () => new Promise<void>(() => {})
    const parties = [
      party({ what: 'spans', flush: never, timeout: 1 }),
      party({ what: 'scores', flush: never, timeout: 1 }),
    ]
    for (const { guard } of parties) guard.arm()
    beforeExit()
    await vi.waitFor(() => expect(said).toHaveLength(2))
    expect(said.toSorted()).toEqual([
      'svc: [WARN] gave up on the last scores: the service did not take them within 0.001 s (SVC_SHUTDOWN_TIMEOUT).',
      'svc: [WARN] gave up on the last spans: the service did not take them within 0.001 s (SVC_SHUTDOWN_TIMEOUT).',
    ])
    process.off('beforeExit', heard)
    for (const { guard } of parties) guard.leave()
  })
})

it('a party that was given up on while it held the end is not waited for once more', async () => {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const onSignal = () => process.exit(0)
  process.on('SIGTERM', onSignal)
  const hang = vi.fn(() => new Promise<void>(() => {}))
  const slow = party({ flush: hang, pending: () => true, timeout: 1 })
  const quick = party({ pending: () => true })
  for (const { guard } of [slow, quick]) guard.arm()
  process.emit('SIGTERM')
  await vi.waitFor(() => expect(exit).toHaveBeenCalledOnce())
  expect(hang).toHaveBeenCalledOnce()
  expect(quick.flush).toHaveBeenCalledTimes(2)
  process.off('SIGTERM', onSignal)
  for (const { guard } of [slow, quick]) guard.leave()
})
