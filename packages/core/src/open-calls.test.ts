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

const openCall = () => ({ endWithout: vi.fn<OpenCall['endWithout']>() }) satisfies OpenCall

async function collectUntil(done: () => boolean): Promise<void> {
  for (let round = 0; round < 500 && !done(); round += 1) {
    // Reading a weak reference keeps its target alive until the next turn.
    await turn()
    gc()
  }
}

it('tracked calls are ended at exit, untracked ones are not', () => {
  const [open, over] = [openCall(), openCall()]
  track(open)
  track(over)
  untrack(over)
  endOpenCalls()
  untrack(open)
  expect(open.endWithout.mock.calls).toEqual([['unfinished']])
  expect(over.endWithout).not.toHaveBeenCalled()
})

it('another copy of the module ends the same open calls', async () => {
  const call = openCall()
  track(call)
  vi.resetModules()
  const copy = await import('./open-calls.ts')
  copy.endOpenCalls()
  untrack(call)
  expect(call.endWithout.mock.calls).toEqual([['unfinished']])
})

it('a call is ended as unread when its reader is collected, unless that is cancelled or the call is untracked', async () => {
  const [lost, kept, over] = [openCall(), openCall(), openCall()]
  for (const call of [kept, over, lost]) endWhenCollected({}, call)
  cancelEndWhenCollected(kept)
  untrack(over)
  await collectUntil(() => lost.endWithout.mock.calls.length > 0)
  expect([lost, kept, over].map(({ endWithout }) => endWithout.mock.calls)).toEqual([[['abandoned']], [], []])
})

it('a call that no longer depends on its reader is still ended at exit', () => {
  const call = openCall()
  track(call)
  endWhenCollected({}, call)
  cancelEndWhenCollected(call)
  endOpenCalls()
  untrack(call)
  expect(call.endWithout.mock.calls).toEqual([['unfinished']])
})

describe('a weakly tracked call', () => {
  it('is ended at exit as long as it is reachable', () => {
    const call = openCall()
    const weak = trackWeakly(call)
    endOpenCalls()
    weak?.endWithout('abandoned')
    if (weak) untrack(weak)
    endOpenCalls()
    expect(call.endWithout.mock.calls).toEqual([['unfinished'], ['abandoned']])
  })

  it('is not kept alive, and makes room if the limit is reached', async () => {
    const held = openCall()
    const tether = trackWeakly(held)
    const last = (() => {
      for (let open = 0; open < 9_998; open += 1) trackWeakly({ endWithout() {} })
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
    expect([held, call].map(({ endWithout }) => endWithout.mock.calls.length)).toEqual([2, 1])
  })

  it('is released when it is untracked, even in one synchronous task', () => {
    gc()
    const before = process.memoryUsage().heapUsed
    for (let made = 0; made < 500; made += 1) {
      const weak = trackWeakly({ ...openCall(), ...{ result: new Array(12_500).fill(0.5) } })
      if (weak) untrack(weak)
    }
    gc()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
  })

  it('is not tracked if the runtime has no weak references', () => {
    vi.stubGlobal('WeakRef', undefined)
    expect(trackWeakly(openCall())).toBeUndefined()
    vi.unstubAllGlobals()
  })
})
