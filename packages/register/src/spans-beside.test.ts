import type { Span } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { SpansBeside } from './spans-beside.ts'

it('the application has its span where ours cannot be started', () => {
  const spanContext = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }
  const theirs = { spanContext: () => spanContext } as Span
  const ours = () => {
    throw new Error('ours')
  }
  expect(new SpansBeside().start(() => theirs, ours)).toEqual({ theirs, ours: undefined })
})
