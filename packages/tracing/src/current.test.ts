import { context, TraceFlags, trace } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { useTracing } from '../test/support.ts'
import { setActiveTraceAsPublic, startActiveObservation, updateActiveObservation } from './index.ts'

const { attributes, lines } = useTracing()

describe('updateActiveObservation', () => {
  it('writes on the active span and leaves its type alone', () => {
    startActiveObservation('work', () => updateActiveObservation({ model: 'gpt-4o', output: 1 }), { asType: 'tool' })
    expect(attributes('work')).toMatchObject({
      'svc.observation.type': 'tool',
      'svc.observation.model.name': 'gpt-4o',
      'svc.observation.output': '1',
    })
  })

  it('turns a span of another library into an observation with asType', () => {
    trace.getTracer('other').startActiveSpan('work', (span) => {
      updateActiveObservation({ input: 'i' })
      updateActiveObservation({ output: 'o' }, { asType: 'retriever' })
      span.end()
    })
    expect(attributes('work')).toMatchObject({
      'svc.observation.input': 'i',
      'svc.observation.output': 'o',
      'svc.observation.type': 'retriever',
    })
  })

  it('does nothing without an active span, with one warning', () => {
    updateActiveObservation({ output: 1 })
    updateActiveObservation({ output: 1 })
    expect(lines()).toEqual([
      'svc: [WARN] updateActiveObservation does nothing, because no span is active: call it inside startActiveObservation or observe.',
    ])
  })
})

it('does nothing in a request that is not recorded', () => {
  const request = { traceId: 'a'.repeat(32), spanId: '0'.repeat(16), traceFlags: TraceFlags.NONE }
  context.with(trace.setSpanContext(context.active(), request), () => updateActiveObservation({ output: 1 }))
  expect(lines('updateActiveObservation does nothing')).toHaveLength(1)
})

describe('setActiveTraceAsPublic', () => {
  it('marks the active span', () => {
    startActiveObservation('work', setActiveTraceAsPublic)
    expect(attributes('work')['svc.trace.public']).toBe(true)
  })

  it('does nothing without an active span, with one warning', () => {
    setActiveTraceAsPublic()
    setActiveTraceAsPublic()
    expect(lines('setActiveTraceAsPublic does nothing')).toHaveLength(1)
  })
})
