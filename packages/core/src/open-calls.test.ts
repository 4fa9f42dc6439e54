import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  cancelEndWhenCollected,
  endOpenCalls,
  endWhenCollected,
  type OpenCall,
  track,
  trackWeakly,
  untrack,
} from './open-calls.ts'

let gc: () => void
beforeAll(() => {
  setFlagsFromString('--expose-gc')
  gc = runInNewContext('gc')
})

const openCall = () => ({ endUnread: vi.fn(), endAtExit: vi.fn() }) satisfies OpenCall

async function collectUntil(done: () => boolean): Promise<void> {
  for (let round = 0; round < 500 && !done(); round += 1) {
    // Whoever asks a weak reference keeps what it stands for until the next turn.
    await turn()
    gc()
  }
}

it('what still waits is cut short at the end, what was forgotten is not', () => {
  const [open, over] = [openCall(), openCall()]
  track(open)
  track(over)
  untrack(over)
  endOpenCalls()
  untrack(open)
  expect(open.endAtExit).toHaveBeenCalledOnce()
  expect(over.endAtExit).not.toHaveBeenCalled()
})

it('another copy of the module ends the same calls', async () => {
  const call = openCall()
  track(call)
  vi.resetModules()
  const copy = await import('./open-calls.ts')
  copy.endOpenCalls()
  untrack(call)
  expect(call.endAtExit).toHaveBeenCalledOnce()
})

it('a call is abandoned when its reader is collected, unless it is kept or forgotten', async () => {
  const [lost, kept, over] = [openCall(), openCall(), openCall()]
  for (const call of [kept, over, lost]) endWhenCollected({}, call)
  cancelEndWhenCollected(kept)
  untrack(over)
  await collectUntil(() => lost.endUnread.mock.calls.length > 0)
  expect([lost, kept, over].map(({ endUnread }) => endUnread.mock.calls.length)).toEqual([1, 0, 0])
})

it('a call that is kept without its reader is cut short at the end all the same', () => {
  const call = openCall()
  track(call)
  endWhenCollected({}, call)
  cancelEndWhenCollected(call)
  endOpenCalls()
  untrack(call)
  expect(call.endAtExit).toHaveBeenCalledOnce()
})

describe('a call that is remembered weakly', () => {
  it('is cut short like any other, as long as somebody holds it', () => {
    const call = openCall()
    const weak = trackWeakly(call)
    endOpenCalls()
    weak?.endUnread()
    if (weak) untrack(weak)
    endOpenCalls()
    expect([call.endAtExit.mock.calls.length, call.endUnread.mock.calls.length]).toEqual([1, 1])
  })

  it('is not kept alive, and makes room when there is none', async () => {
    const held = openCall()
    const tether = trackWeakly(held)
    const last = (() => {
      for (let open = 0; open < 9_998; open += 1) trackWeakly({ endUnread() {}, endAtExit() {} })
      const call = openCall()
      trackWeakly(call)
      return new WeakRef(call)
    })()
    await collectUntil(() => last.deref() === undefined)
    const call = openCall()
    // Those that are gone are still listed.
    endOpenCalls()
    track(call)
    endOpenCalls()
    untrack(call)
    if (tether) untrack(tether)
    expect([held.endAtExit.mock.calls.length, call.endAtExit.mock.calls.length]).toEqual([2, 1])
  })

  it('is let go when it is forgotten, even by work that never turns to another task', () => {
    gc()
    const before = process.memoryUsage().heapUsed
    for (let made = 0; made < 500; made += 1) {
      const weak = trackWeakly({ ...openCall(), ...{ result: new Array(12_500).fill(0.5) } })
      if (weak) untrack(weak)
    }
    gc()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
  })

  it('is not remembered where there are no weak references', () => {
    vi.stubGlobal('WeakRef', undefined)
    expect(trackWeakly(openCall())).toBeUndefined()
    vi.unstubAllGlobals()
  })
})
