import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { LogLevel } from '@svc/core/log'
import { describe, expect, it } from 'vitest'
import { catchLog } from '../test/support/console.ts'
import { expectToAddUp, reportedLosses } from '../test/support/health.ts'
import { add, forEver, LIMITS, named, piping, slow, turn } from '../test/support/piping.ts'
import { nowhere } from './export/export-queue.ts'
import type { Step } from './pipeline.ts'

const log = catchLog(LogLevel.DEBUG)

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
