import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { expect, it, vi } from 'vitest'
import { trustedContext } from './trust.ts'

const span = (digit: string, isRemote?: boolean) => ({
  traceId: digit.repeat(32),
  spanId: digit.repeat(16),
  traceFlags: 1,
  ...(isRemote === undefined ? {} : { isRemote }),
})
const PROXY = span('a')

it.each([
  ['nothing', undefined, PROXY.spanId],
  ['a span of the caller', span('b', true), PROXY.spanId],
  ['a span of this process', span('c'), span('c').spanId],
])('a request with %s above goes on under the span of the proxy unless it has one', (_, above, expected) => {
  const active = above ? trace.setSpanContext(ROOT_CONTEXT, above) : ROOT_CONTEXT
  const spy = vi.spyOn(context, 'active').mockReturnValue(active)
  expect(trace.getSpanContext(trustedContext({ identity: {}, parent: PROXY }))?.spanId).toBe(expected)
  expect(trace.getSpanContext(trustedContext())?.spanId).toBe(above?.spanId)
  spy.mockRestore()
})
