import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  abandonWithout,
  endOpenCalls,
  forget,
  keepWithoutReader,
  type OpenCall,
  remember,
  rememberWeakly,
} from './open-calls.ts'

let gc: () => void
beforeAll(() => {
  setFlagsFromString('--expose-gc')
  gc = runInNewContext('gc')
})

const openCall = () => ({ abandon: vi.fn(), cutShort: vi.fn() }) satisfies OpenCall

async function collectUntil(done: () => boolean): Promise<void> {
  for (let round = 0; round < 500 && !done(); round += 1) {
    // Whoever asks a weak reference keeps what it stands for until the next turn.
    await turn()
    gc()
  }
}

it('what still waits is cut short at the end, what was forgotten is not', () => {
  const [open, over] = [openCall(), openCall()]
  remember(open)
  remember(over)
  forget(over)
  endOpenCalls()
  forget(open)
  expect(open.cutShort).toHaveBeenCalledOnce()
  expect(over.cutShort).not.toHaveBeenCalled()
})

it('another copy of the module ends the same calls', async () => {
  const call = openCall()
  remember(call)
  vi.resetModules()
  const copy = await import('./open-calls.ts')
  copy.endOpenCalls()
  forget(call)
  expect(call.cutShort).toHaveBeenCalledOnce()
})

it('a call is abandoned when its reader is collected, unless it is kept or forgotten', async () => {
  const [lost, kept, over] = [openCall(), openCall(), openCall()]
  for (const call of [kept, over, lost]) abandonWithout({}, call)
  keepWithoutReader(kept)
  forget(over)
  await collectUntil(() => lost.abandon.mock.calls.length > 0)
  expect([lost, kept, over].map(({ abandon }) => abandon.mock.calls.length)).toEqual([1, 0, 0])
})

it('a call that is kept without its reader is cut short at the end all the same', () => {
  const call = openCall()
  remember(call)
  abandonWithout({}, call)
  keepWithoutReader(call)
  endOpenCalls()
  forget(call)
  expect(call.cutShort).toHaveBeenCalledOnce()
})

describe('a call that is remembered weakly', () => {
  it('is cut short like any other, as long as somebody holds it', () => {
    const call = openCall()
    const weak = rememberWeakly(call)
    endOpenCalls()
    weak?.abandon()
    if (weak) forget(weak)
    endOpenCalls()
    expect([call.cutShort.mock.calls.length, call.abandon.mock.calls.length]).toEqual([1, 1])
  })

  it('is not kept alive, and makes room when there is none', async () => {
    const held = openCall()
    const tether = rememberWeakly(held)
    const last = (() => {
      for (let open = 0; open < 9_998; open += 1) rememberWeakly({ abandon() {}, cutShort() {} })
      const call = openCall()
      rememberWeakly(call)
      return new WeakRef(call)
    })()
    await collectUntil(() => last.deref() === undefined)
    const call = openCall()
    // Those that are gone are still listed.
    endOpenCalls()
    remember(call)
    endOpenCalls()
    forget(call)
    if (tether) forget(tether)
    expect([held.cutShort.mock.calls.length, call.cutShort.mock.calls.length]).toEqual([2, 1])
  })

  it('is let go when it is forgotten, even by work that never turns to another task', () => {
    gc()
    const before = process.memoryUsage().heapUsed
    for (let made = 0; made < 500; made += 1) {
      const weak = rememberWeakly({ ...openCall(), ...{ result: new Array(12_500).fill(0.5) } })
      if (weak) forget(weak)
    }
    gc()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
  })

  it('is not remembered where there are no weak references', () => {
    vi.stubGlobal('WeakRef', undefined)
    expect(rememberWeakly(openCall())).toBeUndefined()
    vi.unstubAllGlobals()
  })
})
