import { ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { frameworkCallStarted, withinFrameworkCall } from './framework-call.ts'

/** A framework's span that is not made the active one, below `active`. */
function started(active?: Span) {
  let isOpen = true
  const end = () => {
    isOpen = false
  }
  const span = { isRecording: () => isOpen, end } as unknown as Span
  frameworkCallStarted(span, active)
  return span
}

const above = (active?: Span) =>
  trace.getSpan(withinFrameworkCall(active ? trace.setSpan(ROOT_CONTEXT, active) : ROOT_CONTEXT))

it('a call of a client lies in the call of a framework that was started in its flow, the only one', async () => {
  async function* answer() {
    const span = started()
    await Promise.resolve()
    yield [span, above(), above()]
  }
  for await (const [span, first, second] of answer()) expect([first, second]).toEqual([span, undefined])
})

it('of two flows each has its own', async () => {
  const flow = async () => {
    await Promise.resolve()
    const span = started()
    await Promise.resolve()
    return [span, above()]
  }
  for (const [span, found] of await Promise.all([flow(), flow()])) expect(found).toBe(span)
})

it('a call of a client does not lie in one that has ended', () => {
  started().end()
  expect(above()).toBeUndefined()
})

it('a call of a client stays below what was made active since', () => {
  const agent = trace.wrapSpanContext({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 })
  const span = started(agent)
  const tool = trace.wrapSpanContext({ traceId: 'a'.repeat(32), spanId: 'c'.repeat(16), traceFlags: 1 })
  expect(above(tool)).toBe(tool)
  expect(above(agent)).toBe(span)
})
