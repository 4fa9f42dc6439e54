import { LogLevel } from '@svc/core/log'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { catchLog } from '../test/support/console.ts'
import { expectToAddUp } from '../test/support/health.ts'
import { forEver, LIMITS, named, piping, slow, turn } from '../test/support/piping.ts'
import type { Background } from './pipeline.ts'

const log = catchLog(LogLevel.DEBUG)

afterEach(() => void vi.useRealTimers())

describe('a flush of the pipeline', () => {
  const later = (events: string[], event: string) => async () => {
    await turn()
    events.push(event)
  }

  it('waits for the queue and for background work', async () => {
    const events: string[] = []
    const background: Background = {
      pending: 1,
      flush: later(events, 'uploaded'),
      stop: later(events, 'uploads stopped'),
      close: () => void events.push('uploads closed'),
    }
    const { pipeline, events: ofQueue } = piping({ background })
    await pipeline.flush(LIMITS)
    expect([...ofQueue, ...events]).toEqual(['queue flushed', 'uploaded'])
    await pipeline.shutdown(1_000)
    expect(ofQueue).toEqual(['queue flushed', 'queue flushed', 'queue stopped', 'queue closed'])
    expect(events).toEqual(['uploaded', 'uploaded', 'uploads stopped', 'uploads closed'])
  })

  it('passes on its time limits', async () => {
    vi.useFakeTimers()
    const { pipeline, queue } = piping()
    const flush = vi.spyOn(queue, 'flush')
    await pipeline.flush(LIMITS)
    expect(flush).toHaveBeenCalledWith(LIMITS)
    await pipeline.shutdown(2_000)
    expect(flush).toHaveBeenLastCalledWith({ idleMs: 2_000, totalMs: 2_000 })
  })

  it('sends the spans while uploads hang, and ends in time', async () => {
    vi.useFakeTimers()
    const background: Background = { pending: 1, flush: forEver, stop: forEver, close() {} }
    const { pipeline, events } = piping({ background })
    const flush = pipeline.flush(LIMITS)
    await vi.advanceTimersByTimeAsync(0)
    expect(events).toEqual(['queue flushed'])
    await vi.advanceTimersByTimeAsync(LIMITS.totalMs)
    await flush
  })

  it('sends synchronous spans while a step hangs, and ends in time', async () => {
    vi.useFakeTimers()
    const { pipeline, events } = piping({ steps: [(span) => (span.name === 'slow' ? forEver() : span)] })
    pipeline.take(named('slow'))
    pipeline.take(named('fine'))
    const flush = pipeline.flush(LIMITS)
    await vi.advanceTimersByTimeAsync(0)
    expect(events).toEqual(['fine', 'queue flushed'])
    await vi.advanceTimersByTimeAsync(LIMITS.totalMs)
    await flush
    expect(pipeline.health()).toMatchObject({ pending: 2, dropped: {} })
  })

  it('takes no longer than its limit as a whole', async () => {
    vi.useFakeTimers()
    const { pipeline, queue } = piping({ steps: [forEver] })
    vi.spyOn(queue, 'flush').mockImplementation(({ totalMs }) => new Promise((resolve) => setTimeout(resolve, totalMs)))
    pipeline.take(named('s'))
    const ended = vi.fn()
    void pipeline.flush(LIMITS).then(ended)
    await vi.advanceTimersByTimeAsync(LIMITS.totalMs + 10)
    expect(ended).toHaveBeenCalled()
  })

  it('continues, and does not reject, if a part of it fails', async () => {
    const fail = () => Promise.reject(new Error('broken'))
    const { pipeline, events } = piping({ background: { pending: 1, flush: fail, stop: fail, close() {} } })
    await pipeline.flush(LIMITS)
    await pipeline.shutdown(1_000)
    expect(events).toEqual(['queue flushed', 'queue flushed', 'queue stopped', 'queue closed'])
    expect(log.lines('A flush failed')).toHaveLength(3)
  })
})

describe('a shutdown of the pipeline', () => {
  it('counts undelivered spans, reports them in one line, and logs a summary at debug level', async () => {
    const { pipeline, send } = piping()
    for (const name of ['a', 'b', 'c']) pipeline.take(named(name))
    send()
    pipeline.take(named('d'))
    await pipeline.shutdown(1_000)
    expect(log.lines('lost')).toEqual(['svc: [ERROR] Gave up. 1 span is lost.'])
    expect(log.lines('[DEBUG] 4 spans ended')).toEqual([
      'svc: [DEBUG] 4 spans ended: 3 sent, 0 pending, dropped: 1 shutdown.',
    ])
    expectToAddUp(pipeline.health())
  })

  it('that lost nothing logs only at debug level', async () => {
    const { pipeline, send } = piping()
    pipeline.take(named('a'))
    send()
    await pipeline.shutdown(1_000)
    expect(log.lines('lost')).toEqual([])
    expect(log.lines('1 span ended: 1 sent, 0 pending, dropped: none.')).toHaveLength(1)
  })

  it('with a hanging queue and uploads ends in time, and counts pending spans', async () => {
    vi.useFakeTimers()
    const background: Background = { pending: 1, flush: forEver, stop: async () => {}, close() {} }
    const { pipeline, events, queue } = piping({ background })
    Object.assign(queue, { flush: forEver })
    pipeline.take(named('s'))
    let ended = false
    const shutdown = pipeline.shutdown(1_000).then(() => {
      ended = true
    })
    await vi.advanceTimersByTimeAsync(999)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await shutdown
    expect(events).toEqual(['s', 'queue stopped', 'queue closed'])
    expect(pipeline.health()).toMatchObject({ pending: 0, dropped: { shutdown: 1 } })
  })
})

describe('a shutdown with hanging steps', () => {
  it('sends the spans without optional steps', async () => {
    vi.useFakeTimers()
    const { pipeline, events } = piping({ steps: [slow('?', true).step] })
    pipeline.take(named('s'))
    const shutdown = pipeline.shutdown(2_000)
    await vi.advanceTimersByTimeAsync(2_000)
    await shutdown
    expect(events.slice(-4)).toEqual(['s', 'queue flushed', 'queue stopped', 'queue closed'])
  })

  it('ends in time even if the queue does not stop', async () => {
    vi.useFakeTimers()
    const { pipeline, events, queue } = piping()
    Object.assign(queue, { flush: forEver, stop: forEver })
    const shutdown = pipeline.shutdown(2_000)
    await vi.advanceTimersByTimeAsync(2_000 + 10)
    await shutdown
    expect(events).toEqual(['queue closed'])
  })
})
