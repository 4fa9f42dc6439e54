import { describe, expect, it } from 'vitest'
import { span } from '../../test/support/span.ts'
import { observationOf } from './map/observation.ts'
import { traceOf } from './trace.ts'

type SpanFields = Parameters<typeof span>[0]

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const trace = (...given: SpanFields[]) => traceOf(TRACE, given.map(stored))
const stored = (given: SpanFields) => observationOf(span(given), {}, 0)
const later = { startTimeUnixNano: '1700000000500000000' }
const id = (digit: string) => digit.repeat(16)
const child = { parentSpanId: 'a'.repeat(16), ...later }

it('a trace has exactly the documented shape', () => {
  const given = {
    spanId: 'b'.repeat(16),
    scope: 'svc-sdk@6.0.0',
    attributes: { 'svc.observation.input': '{"a":1}', 'svc.observation.output': 'text', 'user.id': 'ada' },
  }
  expect(trace(given)).toStrictEqual({
    traceId: TRACE,
    name: 'a span',
    userId: 'ada',
    sessionId: null,
    public: false,
    tags: [],
    environment: 'default',
    observations: [
      {
        id: 'b'.repeat(16),
        parentId: null,
        type: 'SPAN',
        name: 'a span',
        level: 'DEFAULT',
        model: null,
        input: { a: 1 },
        output: 'text',
        usage: {},
        startTime: '2023-11-14T22:13:20.000Z',
        endTime: '2023-11-14T22:13:21.000Z',
        metadata: {},
      },
    ],
  })
})

describe('the name of a trace', () => {
  it('is the trace name attribute of any span', () => {
    expect(trace({ name: 'root' }, { ...child, attributes: { 'svc.trace.name': 'chat' } }).name).toBe('chat')
  })

  it('is the name of the root by default', () => {
    expect(trace({ ...child, name: 'child' }, { name: 'root', ...later }).name).toBe('root')
  })

  it('is the name of the app root if the root belongs to another process', () => {
    const app = { ...child, name: 'app', attributes: { 'svc.internal.is_app_root': true } }
    expect(trace({ ...child, name: 'child' }, app).name).toBe('app')
    expect(trace(app, { name: 'true root', ...later }).name).toBe('true root')
  })

  it('is undefined before one of them arrives', () => {
    expect(trace(child).name).toBeNull()
  })
})

it('trace attributes of the root win over those of other observations', () => {
  const identity = (who: string) => ({ 'user.id': who, 'session.id': who, 'svc.environment': who })
  const early = { parentSpanId: 'a'.repeat(16), attributes: identity('child') }
  expect(trace(early, { ...later, attributes: identity('root') })).toMatchObject({
    userId: 'root',
    sessionId: 'root',
    environment: 'root',
  })
  expect(trace(early, later)).toMatchObject({ userId: 'child', sessionId: 'child', environment: 'child' })
})

it('trace tags are joined, those of the root first, and one public span makes the trace public', () => {
  const inner = { parentSpanId: 'a'.repeat(16), attributes: { 'svc.trace.tags': ['b', 'c'], 'svc.trace.public': true } }
  expect(trace(inner, { attributes: { 'svc.trace.tags': ['a', 'b'] } })).toMatchObject({
    tags: ['a', 'b', 'c'],
    public: true,
  })
})

it('observations are ordered by start time, parents before children of the same time', () => {
  const [root, inner, leaf, last] = [id('a'), id('b'), id('c'), id('d')]
  const { observations } = trace(
    { spanId: leaf, parentSpanId: inner },
    { spanId: inner, parentSpanId: root },
    { spanId: last, parentSpanId: root, ...later },
    { spanId: root },
  )
  expect(observations.map((observation) => observation.id)).toEqual([root, inner, leaf, last])
})

it('a cycle of parents does not hang the trace reader', () => {
  const circle = trace({ spanId: id('a'), parentSpanId: id('b') }, { spanId: id('b'), parentSpanId: id('a') })
  expect(circle.observations).toHaveLength(2)
})
