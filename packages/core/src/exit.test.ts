import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ExitHandler, flushExitHandlers, onExit } from './exit.ts'
import { hostProcess } from './host-process.ts'
import { lastHop } from './last-hop.ts'
import type { Outbox } from './outbox.ts'
import { LISTEN_AGAIN_MS, listenToEnd, type ProcessEnd } from './process-end.ts'
import { DIRECT } from './transport.ts'

// What is done when the end comes. How processes really end is in process-end.test.ts.
vi.mock('./process-end.ts', async (importOriginal) => ({ ...(await importOriginal<object>()), listenToEnd: vi.fn() }))
vi.mock('./host-process.ts', async (original) => ({
  hostProcess: vi.fn((await original<typeof import('./host-process.ts')>()).hostProcess),
}))
vi.mock('./last-hop.ts', () => ({ lastHop: vi.fn() }))

const SLOT = Symbol.for('svc.exit.6')

beforeEach(() => {
  Reflect.deleteProperty(globalThis, SLOT)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

/** A handler that holds one thing until it is flushed. */
function handler(options: Partial<ExitHandler> = {}) {
  const held = { count: 1 }
  const flush = vi.fn(async () => {
    held.count = 0
  })
  const close = vi.fn()
  const finish = vi.fn()
  const made = { timeoutMs: 1_000, pending: () => held.count > 0, flush, close, finish, ...options }
  return { held, flush, close, finish, registration: onExit(made) }
}

/** The end of the process, as its listeners see it. */
function theEnd(): ProcessEnd {
  const [call] = vi.mocked(listenToEnd).mock.calls
  if (!call) throw new Error('no listener')
  return call[0]
}

function outbox(): Outbox {
  return { transport: DIRECT, take: () => undefined, wait: () => undefined }
}

const never = () => new Promise<void>(() => {})
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a flush of all handlers', () => {
  it('reaches each handler, also after one that fails', async () => {
    handler({ flush: () => Promise.reject(new Error('no')) })
    handler({
      flush: () => {
        throw new Error('no')
      },
    })
    const [one, two] = [handler(), handler()]
    await flushExitHandlers(500)
    for (const { flush } of [one, two]) expect(flush.mock.calls).toEqual([[false, 500]])
  })

  it('waits for the slowest', async () => {
    let deliver = () => {}
    handler({
      flush: () =>
        new Promise((resolve) => {
          deliver = resolve
        }),
    })
    handler()
    const done = vi.fn()
    const flushed = flushExitHandlers().then(done)
    await turn()
    expect(done).not.toHaveBeenCalled()
    deliver()
    await flushed
  })

  it('does not reach removed handlers', async () => {
    const { registration, flush } = handler()
    registration.remove()
    await flushExitHandlers()
    expect(flush).not.toHaveBeenCalled()
  })

  it('reaches handlers of another copy of this module', async () => {
    vi.resetModules()
    const copy = await import('./exit.ts')
    expect(copy.flushExitHandlers).not.toBe(flushExitHandlers)
    const { flush } = handler()
    await copy.flushExitHandlers()
    expect(flush).toHaveBeenCalledOnce()
  })
})

describe('listeners for the end of the process are added', () => {
  it('when there is something to deliver for the first time, and only once', () => {
    const [one, two] = [handler(), handler()]
    expect(listenToEnd).not.toHaveBeenCalled()
    for (const { registration } of [one, two, one]) registration.listen()
    expect(listenToEnd).toHaveBeenCalledOnce()
  })

  it('once for all copies of the module', async () => {
    handler().registration.listen()
    vi.resetModules()
    const copy = await import('./exit.ts')
    copy.onExit({ timeoutMs: 1, pending: () => true, flush: never }).listen()
    expect(listenToEnd).toHaveBeenCalledOnce()
  })

  it('only if there is a process', () => {
    vi.mocked(hostProcess).mockReturnValueOnce(undefined)
    handler().registration.listen()
    expect(listenToEnd).not.toHaveBeenCalled()
  })
})

describe('when the event loop is empty (beforeExit)', () => {
  it('open spans are ended, and handlers with pending data are flushed', () => {
    const order: string[] = []
    const held = { count: 0 }
    const { registration } = handler({
      finish: () => void order.push('finish', String(held.count++)),
      pending: () => held.count > 0,
      flush: async (atExit) => void order.push(`flush ${atExit}`),
    })
    const idle = handler({ pending: () => false })
    registration.listen()
    theEnd().beforeExit(false)
    expect(order).toEqual(['finish', '0', 'flush true'])
    expect(idle.flush).not.toHaveBeenCalled()
  })

  it('a handler that has delivered is flushed again only if it has more', async () => {
    const { registration, flush, held } = handler()
    registration.listen()
    theEnd().beforeExit(false)
    await turn()
    theEnd().beforeExit(false)
    expect(flush).toHaveBeenCalledTimes(1)
    held.count = 1
    theEnd().beforeExit(false)
    expect(flush).toHaveBeenCalledTimes(2)
  })

  it('a handler that could not deliver is not flushed again, and others still are', async () => {
    const inVain = handler({ pending: () => true })
    const failing = handler({ flush: () => Promise.reject(new Error('no')) })
    const other = handler()
    other.registration.listen()
    theEnd().beforeExit(false)
    await turn()
    other.held.count = 1
    theEnd().beforeExit(false)
    expect(inVain.flush).toHaveBeenCalledTimes(1)
    expect(other.flush).toHaveBeenCalledTimes(2)
    expect(failing.held.count).toBe(1)
  })

  it('only handlers that need the event loop are flushed if the application listens as well', () => {
    const quick = handler({ needsEventLoop: () => false })
    const silent = handler()
    const slow = handler({ needsEventLoop: () => true })
    slow.registration.listen()
    theEnd().beforeExit(true)
    expect(slow.flush).toHaveBeenCalledOnce()
    expect(quick.flush).not.toHaveBeenCalled()
    expect(silent.flush).not.toHaveBeenCalled()
    expect(quick.finish).toHaveBeenCalledOnce()
  })

  it('the process ends even if others keep flushing without success', async () => {
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
    const overdue = { is: false }
    const { registration, held } = handler({ isOverdue: () => overdue.is })
    registration.listen()
    theEnd().beforeExit(false)
    await turn()
    expect(exit).not.toHaveBeenCalled()
    overdue.is = true
    held.count = 1
    theEnd().beforeExit(false)
    await turn()
    expect(exit.mock.calls).toEqual([[]])
  })

  it('the process does not end before all other handlers have delivered', async () => {
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
    let deliver = () => {}
    handler({ isOverdue: () => true }).registration.listen()
    handler({
      flush: () =>
        new Promise((resolve) => {
          deliver = resolve
        }),
    })
    theEnd().beforeExit(false)
    await turn()
    expect(exit).not.toHaveBeenCalled()
    deliver()
    await turn()
    expect(exit).toHaveBeenCalledOnce()
  })
})

describe('in the exit event', () => {
  it('open spans are ended, and pending data is sent by the last hop', () => {
    const boxes = [outbox(), outbox()]
    const order: string[] = []
    vi.mocked(lastHop).mockImplementation(() => void order.push('last hop'))
    const one = handler({ finish: () => void order.push('finish'), timeoutMs: 300, outbox: () => boxes[0] })
    handler({ timeoutMs: 700, outbox: () => boxes[1] })
    handler({ timeoutMs: 5_000, pending: () => false, outbox })
    one.registration.listen()
    theEnd().exit(true)
    expect(order).toEqual(['finish', 'last hop'])
    expect(vi.mocked(lastHop).mock.calls).toEqual([[boxes, 700]])
  })

  it('nothing is sent if no handler has pending data or an outbox', () => {
    const idle = handler({ pending: () => false, outbox })
    handler({ outbox: () => undefined })
    handler()
    idle.registration.listen()
    theEnd().exit(true)
    expect(lastHop).not.toHaveBeenCalled()
  })

  it('each handler is closed after the last hop', () => {
    const one = handler({ pending: () => false })
    const two = handler({ outbox })
    vi.mocked(lastHop).mockImplementation(() => {
      expect(two.close).not.toHaveBeenCalled()
    })
    one.registration.listen()
    theEnd().exit(true)
    expect(one.close).toHaveBeenCalledOnce()
    expect(two.close).toHaveBeenCalledOnce()
  })

  // Once before the exit listeners of the application, and once after them.
  it('all last hops together have the time of one', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { registration } = handler({ outbox, timeoutMs: 700 })
    vi.mocked(lastHop).mockImplementation(() => void vi.advanceTimersByTime(500))
    registration.listen()
    for (let at = 0; at < 2; at++) theEnd().exit(true)
    expect(vi.mocked(lastHop).mock.calls.map(([, limit]) => limit)).toEqual([700, 200])
  })

  it('a process that goes on after all has the full time at its next end', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { registration } = handler({ outbox, timeoutMs: 700 })
    vi.mocked(lastHop).mockImplementation(() => void vi.advanceTimersByTime(500))
    registration.listen()
    theEnd().exit(true)
    await turn()
    theEnd().exit(true)
    expect(vi.mocked(lastHop).mock.calls.map(([, limit]) => limit)).toEqual([700, 700])
  })

  it('handlers are closed even if the last hop fails', () => {
    const { registration, close } = handler({ outbox })
    vi.mocked(lastHop).mockImplementation(() => {
      throw new Error('no')
    })
    registration.listen()
    theEnd().exit(true)
    expect(close).toHaveBeenCalledOnce()
  })
})

describe('at a signal', () => {
  it('the process ends at once after the last hop and the closing of handlers', () => {
    const order: string[] = []
    vi.mocked(lastHop).mockImplementation(() => void order.push('last hop'))
    const { registration, flush } = handler({
      finish: () => void order.push('finish'),
      outbox,
      close: () => void order.push('close'),
    })
    registration.listen()
    theEnd().signal(() => order.push('end'))
    expect(order).toEqual(['finish', 'last hop', 'close', 'end'])
    expect(flush).not.toHaveBeenCalled()
  })

  it('handlers that need the event loop are flushed first, and data that arrived in between is sent by another last hop', async () => {
    const order: string[] = []
    vi.mocked(lastHop).mockImplementation(() => void order.push('last hop'))
    const quick = handler({ outbox, close: () => void order.push('close') })
    const slow = handler({
      needsEventLoop: () => true,
      flush: async (atExit) => {
        slow.held.count = 0
        order.push(`flush ${atExit}`)
      },
    })
    slow.registration.listen()
    theEnd().signal(() => order.push('end'))
    expect(order).toEqual(['last hop', 'flush true'])
    await turn()
    expect(order).toEqual(['last hop', 'flush true', 'last hop', 'close', 'end'])
    expect(quick.flush).not.toHaveBeenCalled()
  })

  it('a flush has the timeout of the slowest handler, and one that fails does not end it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const end = vi.fn()
    const slow = handler({ needsEventLoop: () => true, timeoutMs: 300, flush: () => Promise.reject(new Error('no')) })
    handler({ needsEventLoop: () => true, timeoutMs: 700, flush: never })
    handler({ timeoutMs: 5_000 })
    slow.registration.listen()
    theEnd().signal(end)
    await vi.advanceTimersByTimeAsync(699)
    expect(end).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(end).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(LISTEN_AGAIN_MS)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('all steps of the end together have the time of one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const limits: number[] = []
    vi.mocked(lastHop).mockImplementation((_, limit) => {
      limits.push(limit)
      vi.advanceTimersByTime(300)
    })
    const end = vi.fn()
    const slow = handler({ needsEventLoop: () => true, timeoutMs: 700, flush: never, outbox })
    slow.registration.listen()
    theEnd().signal(end)
    await vi.advanceTimersByTimeAsync(399)
    expect(end).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect([limits, end.mock.calls.length]).toEqual([[700, 0], 1])
  })

  it('that the application ignores ends nothing, and the next signal has the full time', async () => {
    const goOn = vi.fn()
    const limits: number[] = []
    vi.mocked(lastHop).mockImplementation((_, limit) => void limits.push(limit))
    handler({ timeoutMs: 700, outbox, goOn }).registration.listen()
    theEnd().signal(() => {})
    expect(goOn).not.toHaveBeenCalled()
    await turn()
    expect(goOn).toHaveBeenCalledOnce()
    theEnd().signal(() => {})
    expect(limits).toEqual([700, 700])
  })

  it('a second signal does not wait for a flush', () => {
    const end = vi.fn()
    const slow = handler({ needsEventLoop: () => true, flush: never })
    slow.registration.listen()
    theEnd().signal(() => {})
    theEnd().signal(end)
    expect(end).toHaveBeenCalledOnce()
    expect(slow.close).toHaveBeenCalledOnce()
  })
})
