import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { Ledger } from '@svc/core/delivery/ledger'
import { LogLevel } from '@svc/core/log'
import type { Outbox } from '@svc/core/outbox'
import { DIRECT } from '@svc/core/transport'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { catchLog } from '../test/support/console.ts'
import { expectToAddUp, reportedLosses } from '../test/support/health.ts'
import { type ExportQueue, nowhere } from './export/export-queue.ts'
import { SPANS } from './export/span-format.ts'
import { type Background, Pipeline, type PipelineParts, type Step } from './pipeline.ts'

const log = catchLog(LogLevel.DEBUG)
const LIMITS = { idleMs: 1_000, totalMs: 30_000 }
const named = (name: string) =>
  ({
    name,
    attributes: {},
    spanContext: () => ({ traceId: 't', spanId: 's', traceFlags: 1 }),
  }) as unknown as ReadableSpan

/** A step that writes on the name of a span, in the same call. */
const add =
  (text: string): Step =>
  (span) => ({ ...span, name: span.name + text })

/** A step that ends when a test says so. */
function slow(text: string, isOptional?: true) {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = []
  const step: Step = (span) =>
    new Promise((resolve, reject) => {
      ends.push({ resolve: () => resolve({ ...span, name: span.name + text }), reject })
    })
  return {
    step: isOptional ? Object.assign(step, { isOptional }) : step,
    end: () => {
      for (const { resolve } of ends.splice(0)) resolve()
      return turn()
    },
    fail: (error: Error) => {
      for (const { reject } of ends.splice(0)) reject(error)
      return turn()
    },
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const forEver = () => new Promise<never>(() => {})

/** A pipeline before a queue that keeps what it is given until `send` takes it. */
function piping(parts: Partial<Omit<PipelineParts, 'ledger'>> = {}) {
  const events: string[] = []
  const held: string[] = []
  const ledger = new Ledger(SPANS)
  const outbox: Outbox = { transport: DIRECT, take: () => undefined, wait: () => undefined }
  const queue: ExportQueue = {
    add(span) {
      events.push(span.name)
      held.push(span.name)
    },
    flush: async () => void events.push('queue flushed'),
    get pending() {
      return held.length
    },
    needsEventLoop: false,
    outbox: () => outbox,
    stop: async () => void events.push('queue stopped'),
    close() {
      events.push('queue closed')
      ledger.dropAtEnd(held.length, { kind: 'gave up', text: 'Gave up.' })
      held.length = 0
    },
    health: () => ({ state: 'ok', pendingBytes: 0, lastSuccess: undefined, lastFailure: undefined }),
  }
  const send = () => {
    ledger.send(held.length)
    held.length = 0
  }
  const pipeline = new Pipeline({ steps: [], queue, ledger, ...parts })
  return { events, pipeline, send, ledger, outbox, queue }
}

afterEach(() => void vi.useRealTimers())

describe('the processing steps of a span', () => {
  it('run in order and synchronously, unless one is asynchronous', () => {
    const { pipeline, events } = piping({ steps: [add('1'), add('2')] })
    pipeline.take(named('s'))
    expect(events).toEqual(['s12'])
  })

  it('continue after an asynchronous one', async () => {
    const later: Step = async (span) => ({ ...span, name: `${span.name}…` })
    const { pipeline, events } = piping({ steps: [add('1'), later, add('2')] })
    pipeline.take(named('s'))
    expect(events).toEqual([])
    await pipeline.flush(LIMITS)
    expect(events).toEqual(['queue flushed', 's1…2', 'queue flushed'])
  })

  it('are awaited by a flush, however many are asynchronous', async () => {
    const later: Step = async (span) => {
      await turn()
      return { ...span, name: `${span.name}…` }
    }
    const { pipeline, events } = piping({ steps: [later, add('1'), later, later] })
    pipeline.take(named('s'))
    await pipeline.flush(LIMITS)
    expect(events).toEqual(['queue flushed', 's…1……', 'queue flushed'])
  })

  it('start with one that is added later, for spans that end from then on', () => {
    const { pipeline, events } = piping({ steps: [add('1')] })
    pipeline.take(named('a'))
    pipeline.prepend(add('0'))
    pipeline.take(named('b'))
    expect(events).toEqual(['a1', 'b01'])
  })

  it.each<[how: string, step: Step]>([
    ['rejects', () => Promise.reject(new Error('broken'))],
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
  ])('lose the span with a warning if one %s', async (_, step) => {
    const { pipeline, events } = piping({ steps: [step] })
    pipeline.take(named('s'))
    await pipeline.flush(LIMITS)
    expect(events).not.toContain('s')
    expect(log.lines('A span could not be prepared: broken. 1 span is lost.')).toHaveLength(1)
    expect(pipeline.health()).toMatchObject({ ended: 1, pending: 0, dropped: { not_prepared: 1 } })
    expectToAddUp(pipeline.health())
  })

  it('that pile up are counted and reported', async () => {
    const { step, end } = slow('')
    const { pipeline, events, send } = piping({ steps: [step] })
    for (let at = 0; at < 10_003; at++) pipeline.take(named('s'))
    expect(pipeline.health()).toMatchObject({ ended: 10_003, pending: 10_000, dropped: { not_prepared: 3 } })
    await end()
    await pipeline.flush(LIMITS)
    expect(events).toHaveLength(10_001)
    expect(log.lines('10000 spans were still being masked. 1 span is lost.')).toHaveLength(1)
    send()
    pipeline.close()
    expect(reportedLosses(log.lines('lost'))).toBe(3)
    expectToAddUp(pipeline.health())
  })

  it('that pile up may reject without an unhandled rejection', async () => {
    const { step, fail } = slow('')
    const { pipeline } = piping({ steps: [step] })
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    for (let at = 0; at < 10_001; at++) pipeline.take(named('s'))
    await fail(new Error('no'))
    await turn()
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
    expect(pipeline.health()).toMatchObject({ ended: 10_001, pending: 0, dropped: { not_prepared: 10_001 } })
    pipeline.close()
  })
})

describe('deferred attributes of a span', () => {
  it('are resolved before all steps', async () => {
    const { pipeline, events } = piping({ steps: [add('1')] })
    pipeline.take(named('s'), Promise.resolve(named('known')))
    expect(events).toEqual([])
    await pipeline.flush(LIMITS)
    expect(events).toEqual(['queue flushed', 'known1', 'queue flushed'])
  })

  it('are skipped if too many spans wait', () => {
    const { pipeline, events } = piping()
    for (let at = 0; at < 10_000; at++) pipeline.take(named('s'), forEver())
    pipeline.take(named('without'), Promise.resolve(named('known')))
    expect(events).toEqual(['without'])
    expect(pipeline.health()).toMatchObject({ ended: 10_001, pending: 10_001, dropped: {} })
  })
})

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
    const { pipeline, queue } = piping()
    const flush = vi.spyOn(queue, 'flush')
    await pipeline.flush(LIMITS)
    expect(flush).toHaveBeenCalledWith(LIMITS)
    await pipeline.shutdown(2_000)
    expect(flush).toHaveBeenLastCalledWith({ idleMs: 2_000, totalMs: expect.closeTo(2_000, -2) })
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
    expect(log.lines('1 spans ended: 1 sent, 0 pending, dropped: none.')).toHaveLength(1)
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

describe('a span whose step fails late', () => {
  it('is not counted twice after the end', async () => {
    const mask = slow('')
    const { pipeline } = piping({ steps: [mask.step] })
    pipeline.take(named('s'))
    pipeline.close()
    await mask.fail(new Error('late'))
    expect(pipeline.health()).toMatchObject({ ended: 1, dropped: { shutdown: 1 } })
    expectToAddUp(pipeline.health())
  })

  it('is not counted as lost if it was sent without that step', async () => {
    const learn = slow('?', true)
    const { pipeline, send } = piping({ steps: [learn.step] })
    pipeline.take(named('s'))
    pipeline.outbox()
    send()
    await learn.fail(new Error('late'))
    expect(pipeline.health()).toMatchObject({ ended: 1, sent: 1, dropped: {} })
  })
})

it('a span that the queue refuses is counted once', () => {
  const { pipeline, queue } = piping()
  Object.assign(queue, {
    add() {
      throw new Error('no')
    },
  })
  try {
    pipeline.take(named('s'))
  } catch {
    pipeline.lost({ kind: 'processing', text: 'It failed.' })
  }
  expect(pipeline.health().ended).toBe(1)
  expectToAddUp(pipeline.health())
})

describe('at the end of the process the pipeline', () => {
  it('skips optional steps, and applies a synchronous mask', () => {
    const learn = slow('?', true)
    const { pipeline, events, outbox } = piping({ steps: [learn.step, add(' masked')] })
    pipeline.take(named('s'))
    expect(pipeline.outbox()).toBe(outbox)
    expect(events).toEqual(['s masked'])
  })

  it('skips all optional steps, not only the first', () => {
    const { pipeline, events } = piping({ steps: [slow('1', true).step, add('2'), slow('3', true).step, add('4')] })
    pipeline.take(named('s'))
    pipeline.outbox()
    expect(events).toEqual(['s24'])
  })

  it('does not send a span unmasked, and counts it', async () => {
    const mask = slow(' masked')
    const { pipeline, events, send } = piping({ steps: [mask.step] })
    pipeline.take(named('secret'))
    pipeline.outbox()
    expect([events, pipeline.isBusy]).toEqual([[], true])
    pipeline.close()
    expect(log.lines('A mask did not finish with the last spans. 1 span is lost.')).toHaveLength(1)
    expect(pipeline.health()).toMatchObject({ ended: 1, sent: 0, pending: 0, dropped: { shutdown: 1 } })
    // The mask is done when nobody waits for it any more.
    await mask.end()
    send()
    expect(events).toEqual(['queue closed'])
    expectToAddUp(pipeline.health())
  })

  it('does not send a span unmasked that waited for an optional step before', () => {
    const { pipeline, events } = piping({ steps: [slow('?', true).step, slow(' masked').step] })
    pipeline.take(named('secret'))
    pipeline.outbox()
    expect(events).toEqual([])
    expect(pipeline.health()).toMatchObject({ ended: 1, pending: 1 })
    pipeline.outbox()
    expect(pipeline.health()).toMatchObject({ ended: 1, pending: 1 })
  })

  it('sends a span once, even if its optional step completes later', async () => {
    const learn = slow('?', true)
    const { pipeline, events, send } = piping({ steps: [learn.step] })
    pipeline.take(named('s'))
    pipeline.outbox()
    await learn.end()
    send()
    expect(events).toEqual(['s'])
    expect(pipeline.health()).toMatchObject({ ended: 1, sent: 1 })
    expectToAddUp(pipeline.health())
  })
})

describe('the pending work of the pipeline', () => {
  it('includes spans in steps, spans in the queue, and uploads', async () => {
    const mask = slow('')
    const uploads = { pending: 0, flush: async () => {}, stop: async () => {}, close() {} }
    const { pipeline, send } = piping({ steps: [mask.step], background: uploads })
    expect([pipeline.isBusy, pipeline.needsEventLoop]).toEqual([false, false])
    pipeline.take(named('s'))
    expect([pipeline.isBusy, pipeline.needsEventLoop]).toEqual([true, true])
    await mask.end()
    expect([pipeline.isBusy, pipeline.needsEventLoop]).toEqual([true, false])
    send()
    expect([pipeline.isBusy, pipeline.needsEventLoop]).toEqual([false, false])
    uploads.pending = 1
    expect([pipeline.isBusy, pipeline.needsEventLoop]).toEqual([true, true])
  })

  it('needs the event loop if the queue does, while it is not empty', () => {
    const { pipeline, queue, send } = piping()
    Object.assign(queue, { needsEventLoop: true })
    expect(pipeline.needsEventLoop).toBe(false)
    pipeline.take(named('s'))
    expect(pipeline.needsEventLoop).toBe(true)
    send()
    expect(pipeline.needsEventLoop).toBe(false)
  })

  it('adds up at every moment: ended = sent + pending + dropped', async () => {
    const mask = slow('')
    const learn = slow('', true)
    const broken: Step = (span) => {
      if (span.name.startsWith('bad')) throw new Error('broken')
      return span
    }
    const { pipeline, send } = piping({ steps: [learn.step, broken, mask.step] })
    const check = () => expectToAddUp(pipeline.health())
    for (let at = 0; at < 30; at++) {
      pipeline.take(named(at % 5 === 0 ? 'bad' : 'fine'), at % 3 === 0 ? Promise.resolve(named('known')) : undefined)
      if (at % 7 === 0) pipeline.lost({ kind: 'filter', text: 'The filter failed.' })
      check()
      if (at % 4 === 0) await learn.end()
      check()
      if (at % 6 === 0) await mask.end()
      check()
      if (at % 8 === 0) send()
      check()
    }
    pipeline.outbox()
    check()
    pipeline.close()
    check()
    await Promise.all([learn.end(), mask.end()])
    check()
    const { ended, sent, pending, dropped } = pipeline.health()
    expect([ended, pending]).toEqual([35, 0])
    expect(sent).toBeGreaterThan(5)
    const lost = Object.values(dropped).reduce((sum, spans) => sum + spans, 0)
    expect(reportedLosses(log.lines('lost'))).toBe(lost)
  })
})

describe('a span that is passed to the queue', () => {
  it('is reported as delivered to a listener, which may throw', () => {
    const delivered: string[] = []
    const onDelivered = ({ name }: ReadableSpan) => {
      delivered.push(name)
      throw new Error('broken listener')
    }
    const { pipeline, events } = piping({ steps: [add('1')], onDelivered })
    pipeline.take(named('s'))
    expect([delivered, events]).toEqual([['s1'], ['s1']])
  })
})

it('a pipeline that sends nothing has nothing pending', async () => {
  nowhere.add(named('s'))
  await nowhere.flush(LIMITS)
  await nowhere.stop()
  nowhere.close()
  expect([nowhere.pending, nowhere.needsEventLoop, nowhere.outbox(), nowhere.health()]).toEqual([
    0,
    false,
    undefined,
    { state: 'off', pendingBytes: 0, lastSuccess: undefined, lastFailure: undefined },
  ])
})
