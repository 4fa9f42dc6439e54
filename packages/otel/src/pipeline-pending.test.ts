import { LogLevel } from '@svc/core/log'
import { describe, expect, it } from 'vitest'
import { catchLog } from '../test/support/console.ts'
import { expectToAddUp, reportedLosses } from '../test/support/health.ts'
import { add, named, piping, slow } from '../test/support/piping.ts'
import type { Step } from './pipeline.ts'

const log = catchLog(LogLevel.DEBUG)

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
    // The mask ends after the wait for it has ended.
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
