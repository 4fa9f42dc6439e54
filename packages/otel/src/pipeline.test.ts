import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { LogLevel } from '@svc/core/log'
import { describe, expect, it } from 'vitest'
import { catchLog } from '../test/support/console.ts'
import type { Delivery } from './delivery/delivery.ts'
import { Pipeline, type PipelineParts } from './pipeline.ts'

const log = catchLog(LogLevel.DEBUG)
const named = (name: string) =>
  ({
    name,
    attributes: {},
    spanContext: () => ({ traceId: 't', spanId: 's', traceFlags: 1 }),
  }) as unknown as ReadableSpan

function piping(parts: Partial<PipelineParts>) {
  const events: string[] = []
  const delivery: Delivery = {
    deliver: (span) => void events.push(span.name),
    flush: async () => void events.push('delivery flushed'),
    shutdown: async () => void events.push('delivery shut down'),
    health: () => ({ queued: 0, lastSuccess: undefined, lastFailure: undefined }),
  }
  return { events, pipeline: new Pipeline({ steps: [], delivery, ...parts }) }
}

describe('the steps of a span', () => {
  it('are taken in order and in the same call, as long as none needs time', () => {
    const add = (text: string) => (span: ReadableSpan) => ({ ...span, name: span.name + text })
    const { pipeline, events } = piping({ steps: [add('1'), add('2')] })
    pipeline.take(named('s'))
    expect(events).toEqual(['s12'])
  })

  it('go on after one that needs time', async () => {
    const add = (text: string) => (span: ReadableSpan) => ({ ...span, name: span.name + text })
    const later = async (span: ReadableSpan) => ({ ...span, name: `${span.name}…` })
    const { pipeline, events } = piping({ steps: [add('1'), later, add('2')] })
    pipeline.take(named('s'))
    expect(events).toEqual([])
    await pipeline.flush()
    expect(events).toEqual(['s1…2', 'delivery flushed'])
  })

  it('one that rejects loses its span and says so', async () => {
    const { pipeline, events } = piping({ steps: [() => Promise.reject(new Error('broken'))] })
    pipeline.take(named('s'))
    await pipeline.flush()
    expect(events).toEqual(['delivery flushed'])
    expect(log.lines('The span "s" could not be prepared and is lost')).toHaveLength(1)
  })

  it('that pile up are counted and said once', async () => {
    let ready: () => void = () => {}
    const open = new Promise<void>((resolve) => {
      ready = resolve
    })
    const { pipeline, events } = piping({ steps: [(span) => open.then(() => span)] })
    for (let at = 0; at < 10_003; at++) pipeline.take(named('s'))
    ready()
    await pipeline.flush()
    expect(events).toHaveLength(10_001)
    expect(log.lines('3 spans are lost: 10000 were still being masked')).toHaveLength(1)
  })
})

describe('a flush', () => {
  it('waits for delivery and for what goes on beside the spans', async () => {
    const later = (event: string) => async () => {
      await new Promise((resolve) => setImmediate(resolve))
      events.push(event)
    }
    const { pipeline, events } = piping({ background: { flush: later('uploaded'), shutdown: later('closed') } })
    await pipeline.flush()
    await pipeline.shutdown()
    expect(events).toEqual(['delivery flushed', 'uploaded', 'delivery shut down', 'closed'])
  })

  it('sends the spans while uploads hang', () => {
    const hanging = () => new Promise<void>(() => {})
    const { pipeline, events } = piping({ background: { flush: hanging, shutdown: hanging } })
    void pipeline.flush()
    void pipeline.shutdown()
    return expect.poll(() => events).toEqual(['delivery flushed', 'delivery shut down'])
  })

  it('goes on, and does not reject, when a part of it fails', async () => {
    const fail = () => Promise.reject(new Error('broken'))
    const { pipeline, events } = piping({ background: { flush: fail, shutdown: fail } })
    await pipeline.flush()
    await pipeline.shutdown()
    expect(events).toEqual(['delivery flushed', 'delivery shut down'])
    expect(log.lines('A flush failed')).toHaveLength(2)
  })
})
