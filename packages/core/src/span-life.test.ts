import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { TimeInput } from '@opentelemetry/api'
import { expect, it, vi } from 'vitest'
import { endOpenCalls, track } from './open-calls.ts'
import { type MissingEnd, SpanLife } from './span-life.ts'

class Life extends SpanLife {
  readonly closed = vi.fn<(at: TimeInput | undefined) => void>()
  readonly missing: MissingEnd[] = []

  constructor() {
    super()
    track(this)
  }

  end(record = () => {}, outcome?: string): void {
    this.finish(record, this.endTime(outcome))
  }

  endWithout(missing: MissingEnd): void {
    this.missing.push(missing)
    this.end(undefined, missing)
  }

  protected close(at: TimeInput | undefined): void {
    this.closed(at)
  }
}

it('a span ends once, however often end() is called', () => {
  const life = new Life()
  const record = vi.fn()
  expect(life.ended).toBe(false)
  life.end(record)
  life.end(record)
  life.endWithout('abandoned')
  expect(life.ended).toBe(true)
  expect(record).toHaveBeenCalledOnce()
  expect(life.closed.mock.calls).toEqual([[undefined]])
})

it('a span ends once if recording its end calls end() again', () => {
  const life = new Life()
  life.end(() => life.end())
  expect(life.closed).toHaveBeenCalledOnce()
})

it('a span ends even if recording its end fails', () => {
  const life = new Life()
  life.end(() => {
    throw new Error('a getter of the application')
  })
  expect(life.closed).toHaveBeenCalledOnce()
})

it('the time to the first chunk is measured from the start, and only once', () => {
  const life = new Life()
  const seconds = life.touchChunk()
  expect(seconds).toBeGreaterThanOrEqual(0)
  expect(seconds).toBeLessThanOrEqual((performance.now() - life.startedAt) / 1_000)
  expect(life.touchChunk()).toBeUndefined()
})

it('a span whose result is left unread ends at its last activity, or at its start without any', () => {
  const [idle, active] = [new Life(), new Life()]
  active.touch(active.startedAt + 250)
  idle.endWithout('abandoned')
  active.endWithout('abandoned')
  expect(idle.closed.mock.calls).toEqual([[idle.startedAt]])
  expect(active.closed.mock.calls).toEqual([[active.startedAt + 250]])
})

it('a span that is open at exit ends then, and is not touched after its end', () => {
  const [open, over] = [new Life(), new Life()]
  over.end()
  endOpenCalls()
  expect(open.missing).toEqual(['unfinished'])
  expect(open.closed.mock.calls).toEqual([[undefined]])
  expect(over.missing).toEqual([])
})

it('a span ends when its reader is collected, unless it ended before', async () => {
  setFlagsFromString('--expose-gc')
  const gc: () => void = runInNewContext('gc')
  const [left, over] = [new Life(), new Life()]
  for (const life of [over, left]) life.endWithReader({})
  over.end()
  over.endWithReader({})
  for (let round = 0; round < 500 && !left.ended; round += 1) {
    await turn()
    gc()
  }
  expect([left.missing, over.missing]).toEqual([['abandoned'], []])
})
