import { context, propagation, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { AlwaysOffSampler } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { useTracing } from '../test/support.ts'
import { startActiveObservation, startObservation } from './index.ts'

const failing = (error: unknown) => () => {
  throw error
}

describe('startActiveObservation', () => {
  const { attributes, lines, span, spans } = useTracing()
  const isRoot = (name: string) => attributes(name)['svc.internal.is_app_root'] === true

  it('makes the observation active while the work runs, also after await, and not afterwards', async () => {
    await startActiveObservation('work', async (work) => {
      expect(trace.getActiveSpan()).toBe(work.otelSpan)
      await new Promise(setImmediate)
      expect(trace.getActiveSpan()).toBe(work.otelSpan)
      startObservation('child').end()
    })
    expect(trace.getActiveSpan()).toBeUndefined()
    expect(span('child').parentSpanContext?.spanId).toBe(span('work').spanContext().spanId)
  })

  it('returns the result of the work, and ends the observation', () => {
    const result = { answer: 42 }
    expect(startActiveObservation('work', () => result, { asType: 'agent' })).toBe(result)
    expect(attributes('work')['svc.observation.type']).toBe('agent')
    expect(attributes('work')).not.toHaveProperty('svc.observation.output')
  })

  it('ends the observation when a promise settles, before the caller continues', async () => {
    let resolve = (_: string) => {}
    const promise = startActiveObservation('work', () => new Promise<string>((done) => (resolve = done)))
    expect(spans()).toEqual([])
    resolve('done')
    expect(await promise).toBe('done')
    expect(spans()).toHaveLength(1)
  })

  it('rethrows an error unchanged, and records its message as status', async () => {
    const error = new Error('boom')
    expect(() => startActiveObservation('thrown', failing(error))).toThrow(error)
    await expect(startActiveObservation('rejected', () => Promise.reject(error))).rejects.toBe(error)
    for (const name of ['thrown', 'rejected']) {
      expect(span(name).status).toEqual({ code: SpanStatusCode.ERROR, message: 'boom' })
    }
  })

  it.each<[what: string, error: unknown]>([
    ['a text', 'connect ECONNREFUSED'],
    ['an AggregateError of a host with several addresses', new AggregateError([new Error('connect ECONNREFUSED')])],
  ])('records the message of %s', (_, error) => {
    expect(() => startActiveObservation('work', failing(error))).toThrow()
    expect(span('work').status).toEqual({ code: SpanStatusCode.ERROR, message: 'connect ECONNREFUSED' })
  })

  it.each<[what: string, error: unknown]>([
    ['nothing', undefined],
    ['an empty text', ''],
    ['an error without message', new Error()],
    ['an error whose message throws', Object.defineProperty({}, 'message', { get: failing(new Error('no')) })],
  ])('records an unknown error if %s was thrown', (_, error) => {
    let caught: unknown
    try {
      startActiveObservation('work', failing(error))
    } catch (thrown) {
      caught = thrown
    }
    expect(caught).toBe(error)
    expect(span('work').status).toEqual({ code: SpanStatusCode.ERROR, message: 'Unknown error' })
  })

  it('never ends the observation with endOnExit: false', async () => {
    const open = { endOnExit: false }
    const error = new Error('boom')
    const value = startActiveObservation('value', (work) => work, open)
    const awaited = await startActiveObservation('promise', async (work) => work, open)
    let thrown: typeof value | undefined
    expect(() =>
      startActiveObservation(
        'thrown',
        (work) => {
          thrown = work
          throw error
        },
        open,
      ),
    ).toThrow(error)
    expect(spans()).toEqual([])
    for (const work of [value, awaited, thrown]) work?.update({ output: 'late' }).end()
    expect(spans().map(({ name }) => name)).toEqual(['value', 'promise', 'thrown'])
    expect(span('thrown').status.message).toBe('boom')
    expect(attributes('value')['svc.observation.output']).toBe('late')
  })

  it('allows the work to end the observation', () => {
    startActiveObservation('work', (work) => work.end(new Date(1_800_000_000_000)))
    expect(spans()).toHaveLength(1)
    expect(span('work').endTime).toEqual([1_800_000_000, 0])
    expect(lines()).toEqual([])
  })

  it('makes an event active, without a duration', () => {
    startActiveObservation('event', () => startObservation('child').end(), { asType: 'event' })
    expect(span('event').endTime).toEqual(span('event').startTime)
    expect(span('child').parentSpanContext?.spanId).toBe(span('event').spanContext().spanId)
  })

  it('marks only the outermost observation as app root, also below a span that is not exported', () => {
    startActiveObservation('outer', () => {
      trace.getTracer('http').startActiveSpan('filtered', (filtered) => {
        startActiveObservation('inner', () => {})
        filtered.end()
      })
    })
    expect([isRoot('outer'), isRoot('inner')]).toEqual([true, false])
  })

  it('marks the app root in the baggage for descendants only', () => {
    const traceIdHere = () => propagation.getBaggage(context.active())?.getEntry('svc_trace_id')?.value
    startActiveObservation('outer', (outer) => {
      expect(traceIdHere()).toBe(outer.traceId)
    })
    expect(traceIdHere()).toBeUndefined()
    expect(Object.keys(attributes('outer')).filter((key) => key.includes('trace_id'))).toEqual([])
  })

  it('accepts a parent and a start time', () => {
    const parentSpanContext = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: TraceFlags.SAMPLED }
    const startTime = new Date(1_700_000_000_000)
    startActiveObservation('work', () => startObservation('child').end(), { parentSpanContext, startTime })
    expect(span('work').parentSpanContext?.spanId).toBe(parentSpanContext.spanId)
    expect(span('child').spanContext().traceId).toBe(parentSpanContext.traceId)
    expect(span('work').startTime).toEqual([1_700_000_000, 0])
  })

  it('throws a TypeError without a function', () => {
    expect(() => startActiveObservation('work', undefined as never)).toThrow(
      new TypeError('svc: startActiveObservation(name, fn) needs a function, got undefined.'),
    )
    expect(spans()).toEqual([])
  })

  it('runs the work without a provider, and returns its result unchanged', async () => {
    trace.disable()
    const promise = Promise.resolve(1)
    expect(startActiveObservation('work', () => promise)).toBe(promise)
    const error = new Error('boom')
    expect(() => startActiveObservation('work', failing(error))).toThrow(error)
  })
})

describe('a trace that is not sampled', () => {
  const { spans } = useTracing({ sampler: new AlwaysOffSampler() })

  it('stays one trace, also in the steps of a generator', () => {
    const ids: (string | undefined)[] = []
    const steps = startActiveObservation('work', function* (work) {
      ids.push(work.traceId, trace.getActiveSpan()?.spanContext().traceId)
      yield 1
    })
    expect([...steps]).toEqual([1])
    expect(ids[0]).toBe(ids[1])
    expect(spans()).toEqual([])
  })
})
