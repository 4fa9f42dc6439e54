import { type Span, TraceFlags, trace } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { useTracing } from '../test/support.ts'
import {
  propagateAttributes,
  SvcEvent,
  SvcGeneration,
  type SvcObservation,
  SvcSpan,
  SvcTool,
  startActiveObservation,
  startObservation,
} from './index.ts'
import { kinds } from './kinds.ts'

const { attributes, lines, span, spans } = useTracing()
const ms = ([seconds, nanoseconds]: [number, number]) => seconds * 1_000 + nanoseconds / 1e6

describe('an observation', () => {
  it.each(kinds)('of type %s has its type from the start', (asType) => {
    startObservation('work', undefined, { asType }).end()
    expect(attributes('work')['svc.observation.type']).toBe(asType)
  })

  it('is a span of the scope svc-sdk and has its ids', () => {
    const observation = startObservation('work')
    observation.end()
    const { spanId, traceId } = span('work').spanContext()
    expect(observation).toMatchObject({ id: spanId, traceId, type: 'span' })
    expect(observation.otelSpan.spanContext()).toEqual(span('work').spanContext())
    expect(span('work').instrumentationScope).toMatchObject({ name: 'svc-sdk', version: '6.0.0' })
  })

  it('is an instance of the class of its kind only', () => {
    const generation = startObservation('g', {}, { asType: 'generation' })
    expect([generation instanceof SvcGeneration, generation instanceof SvcSpan]).toEqual([true, false])
    expect([startObservation('s') instanceof SvcSpan, SvcTool.name]).toEqual([true, 'SvcTool'])
  })

  it('can be created from an existing span', () => {
    const otelSpan = trace.getTracer('svc-sdk').startSpan('own')
    new SvcGeneration({ otelSpan, attributes: { model: 'gpt-4o' } }).update({ output: 'hi' }).end()
    expect(attributes('own')).toMatchObject({
      'svc.observation.type': 'generation',
      'svc.observation.model.name': 'gpt-4o',
      'svc.observation.output': 'hi',
    })
  })

  it('has the active span as parent, and is not active itself', () => {
    startActiveObservation('outer', () => {
      startObservation('inner').end()
      startObservation('sibling').end()
    })
    const outer = span('outer').spanContext().spanId
    expect([span('inner'), span('sibling')].map((each) => each.parentSpanContext?.spanId)).toEqual([outer, outer])
  })

  it('is returned by update and setTraceAsPublic', () => {
    const observation = startObservation('work')
    expect(observation.update({ output: 1 }).setTraceAsPublic()).toBe(observation)
    observation.end()
    expect(attributes('work')).toMatchObject({ 'svc.observation.output': '1', 'svc.trace.public': true })
  })

  it('ends once, also if the underlying span was ended before', () => {
    const observation = startObservation('work')
    observation.end(new Date('2026-01-01T00:00:05Z'))
    observation.end(new Date('2026-01-01T00:00:09Z'))
    const other = startObservation('other')
    other.otelSpan.end()
    other.end()
    expect(spans().map(({ name }) => name)).toEqual(['work', 'other'])
  })

  it('ignores an update after its end, with one warning', () => {
    const observation = startObservation('work')
    observation.end()
    observation.update({ output: 'late' }).update({ output: 'later' })
    expect(lines('updated after its end')).toHaveLength(1)
    expect(attributes('work')).not.toHaveProperty('svc.observation.output')
  })
})

describe('times of an observation', () => {
  it.each([
    ['a Date', new Date(1_700_000_000_000), new Date(1_700_000_001_500)],
    ['milliseconds', 1_700_000_000_000, 1_700_000_001_500],
    ['seconds and nanoseconds', [1_700_000_000, 0], [1_700_000_001, 5e8]],
  ] as const)('may be %s', (_, startTime, endTime) => {
    startObservation('work', {}, { startTime: startTime as Date }).end(endTime as Date)
    expect([ms(span('work').startTime), ms(span('work').endTime)]).toEqual([1_700_000_000_000, 1_700_000_001_500])
  })

  it.each([[new Date('x')], ['yesterday'], [Number.NaN], [[1]], [{}]])('default to now if %j is given', (nonsense) => {
    const before = Date.now() - 1
    startObservation('work', {}, { startTime: nonsense as Date }).end(nonsense as Date)
    expect(ms(span('work').startTime)).toBeGreaterThanOrEqual(before)
    expect(ms(span('work').endTime)).toBeLessThanOrEqual(Date.now() + 1)
    expect(lines('startTime of an observation is ignored')).toHaveLength(1)
    expect(lines('endTime of an observation is ignored')).toHaveLength(1)
  })
})

describe('an event', () => {
  it('ends at its start', () => {
    startObservation('clicked', { input: 'button' }, { asType: 'event' })
    expect(span('clicked').endTime).toEqual(span('clicked').startTime)
    expect(attributes('clicked')['svc.observation.input']).toBe('button')
  })

  it('has the given time', () => {
    startObservation('clicked', {}, { asType: 'event', startTime: new Date(1_700_000_000_000) })
    expect([ms(span('clicked').startTime), ms(span('clicked').endTime)]).toEqual([1_700_000_000_000, 1_700_000_000_000])
  })

  it('as a child ends at its start, too', () => {
    const parent = startObservation('parent')
    expect(parent.startObservation('child', {}, { asType: 'event' })).toBeInstanceOf(SvcEvent)
    expect(span('child').parentSpanContext?.spanId).toBe(parent.id)
  })

  it('has no update method', () => {
    expect('update' in startObservation('clicked', {}, { asType: 'event' })).toBe(false)
    expect('update' in startObservation('work')).toBe(true)
  })
})

describe('a child observation', () => {
  it('has its observation as parent, whatever is active', () => {
    const parent = startObservation('parent')
    startActiveObservation('active', () => parent.startObservation('child', { input: 1 }, { asType: 'tool' }).end())
    expect(span('child').parentSpanContext?.spanId).toBe(parent.id)
    expect(attributes('child')).toMatchObject({ 'svc.observation.type': 'tool', 'svc.observation.input': '1' })
  })

  it('has the user of its parent, also without an active context', () => {
    let parent: SvcObservation | undefined
    propagateAttributes({ userId: 'u', tags: ['a'] }, () => {
      parent = startObservation('parent')
    })
    parent?.startObservation('child').startObservation('grandchild').end()
    parent?.startObservation('child').end()
    propagateAttributes({ userId: 'other', tags: ['b'] }, () => parent?.startObservation('later').end())
    expect(attributes('child')).toMatchObject({ 'user.id': 'u', 'svc.trace.tags': ['a'] })
    expect(attributes('grandchild')).toMatchObject({ 'user.id': 'u' })
    expect(attributes('later')).toMatchObject({ 'user.id': 'other', 'svc.trace.tags': ['a', 'b'] })
  })
})

describe('parentSpanContext', () => {
  const parentSpanContext = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: TraceFlags.SAMPLED }

  it('replaces the active span as parent', () => {
    startActiveObservation('active', () => startObservation('work', {}, { parentSpanContext }).end())
    expect(span('work').spanContext().traceId).toBe(parentSpanContext.traceId)
    expect(span('work').parentSpanContext?.spanId).toBe(parentSpanContext.spanId)
  })

  it('without flags is treated as sampled', () => {
    const { traceFlags: _, ...ids } = parentSpanContext
    startObservation('work', {}, { parentSpanContext: ids as typeof parentSpanContext }).end()
    expect(span('work').parentSpanContext?.spanId).toBe(parentSpanContext.spanId)
  })

  it.each([[{ ...parentSpanContext, traceId: 'x' }], [{}], ['nonsense']])(
    'is ignored with one warning if it is %j',
    (nonsense) => {
      startActiveObservation('active', () => {
        startObservation('work', {}, { parentSpanContext: nonsense as typeof parentSpanContext }).end()
      })
      expect(span('work').parentSpanContext?.spanId).toBe(span('active').spanContext().spanId)
      expect(lines('parentSpanContext is ignored')).toHaveLength(1)
    },
  )
})

describe('mistakes in JavaScript that types would prevent', () => {
  it('an unknown kind makes a span', () => {
    startObservation('work', {}, { asType: 'agnet' as 'agent' }).end()
    expect(attributes('work')['svc.observation.type']).toBe('span')
    expect(lines()).toEqual([
      expect.stringContaining('asType "agnet" is not known, so a span is created: expected one of span,'),
    ])
  })

  it('a name that is not a string becomes "unnamed"', () => {
    startObservation(undefined as unknown as string).end()
    startObservation({} as unknown as string).end()
    expect(spans().map(({ name }) => name)).toEqual(['unnamed', 'unnamed'])
    expect(lines('called "unnamed"')).toHaveLength(1)
  })

  it('null options are ignored', () => {
    startObservation('work', null as never, null as never).end()
    startObservation('work')
      .startObservation('child', null as never, null as never)
      .end()
    expect(spans()).toHaveLength(2)
  })
})

describe('without a provider', () => {
  it('all methods can be called without effect', () => {
    trace.disable()
    const observation = startObservation('work', { input: 1 })
    observation.update({ output: 2 }).setTraceAsPublic().end()
    expect(observation).toMatchObject({ id: '0'.repeat(16), traceId: '0'.repeat(32) })
    expect(startActiveObservation('active', (active) => active.startObservation('child').type)).toBe('span')
    expect(lines()).toEqual([])
  })

  it('a provider that throws is treated as none', () => {
    trace.disable()
    trace.setGlobalTracerProvider({
      getTracer: () => {
        throw new Error('broken')
      },
    })
    expect(startActiveObservation('active', (active) => active.id)).toBe('0'.repeat(16))
  })

  it('a span that throws on every access causes no error', () => {
    trace.disable()
    const hostile = {
      spanContext: () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }),
      isRecording: () => true,
    }
    const throwing = new Proxy(hostile, {
      get: (target, name) =>
        Reflect.get(target, name) ??
        (() => {
          throw new Error(`no ${String(name)}`)
        }),
    }) as unknown as Span
    trace.setGlobalTracerProvider({
      getTracer: () => ({ startSpan: () => throwing, startActiveSpan: () => {} }) as never,
    })
    const result = startActiveObservation('work', (work) => {
      work.update({ input: 1, metadata: { a: 1 } }).setTraceAsPublic()
      return 'result'
    })
    expect(result).toBe('result')
    const failure = new Error('own')
    expect(() =>
      startActiveObservation('work', () => {
        throw failure
      }),
    ).toThrow(failure)
  })
})
