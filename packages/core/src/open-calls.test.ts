import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, expect, it, vi } from 'vitest'
import { abandonWithout, endOpenCalls, forget, keepWithoutReader, type OpenCall, remember } from './open-calls.ts'

let gc: () => void
beforeAll(() => {
  setFlagsFromString('--expose-gc')
  gc = runInNewContext('gc')
})

const openCall = () => ({ abandon: vi.fn(), cutShort: vi.fn() }) satisfies OpenCall

async function collectUntil(done: () => boolean): Promise<void> {
  for (let round = 0; round < 500 && !done(); round += 1) {
    gc()
    await turn()
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
