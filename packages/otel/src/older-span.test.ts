import { ROOT_CONTEXT, type SpanContext, TraceFlags, trace } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { inCurrentShape } from './older-span.ts'
import type { Span } from './sdk.ts'

const TRACE_ID = 'a'.repeat(32)
const PARENT_ID = 'c'.repeat(16)

/** What SDK 1.x makes, as far as it matters here. */
class OlderSpan {
  readonly name = 'old'
  readonly attributes: Record<string, unknown> = {}
  readonly instrumentationLibrary = { name: 'ai', version: '1' }
  readonly parentSpanId = PARENT_ID
  ended = false

  spanContext(): SpanContext {
    return { traceId: TRACE_ID, spanId: 'b'.repeat(16), traceFlags: TraceFlags.SAMPLED }
  }

  setAttribute(name: string, value: unknown): this {
    this.attributes[name] = value
    return this
  }
}

const olderSpan = () => new OlderSpan() as unknown as Span & OlderSpan

describe('a span of SDK 1.x', () => {
  it('has its scope and parent under the current names', () => {
    const view = inCurrentShape(olderSpan())
    expect(view.instrumentationScope).toEqual({ name: 'ai', version: '1' })
    expect(view.parentSpanContext).toMatchObject({ traceId: TRACE_ID, spanId: PARENT_ID })
    expect(view.parentSpanContext?.isRemote).toBeFalsy()
  })

  it('has the parent of its context, with its remote flag', () => {
    const above = { traceId: TRACE_ID, spanId: PARENT_ID, traceFlags: TraceFlags.SAMPLED, isRemote: true }
    const view = inCurrentShape(olderSpan(), trace.setSpanContext(ROOT_CONTEXT, above))
    expect(view.parentSpanContext).toEqual(above)
  })

  it('is written through a stable view that shows later changes', () => {
    const span = olderSpan()
    const view = inCurrentShape(span)
    view.setAttribute('user.id', 'u')
    Object.assign(span, { ended: true })
    expect(span.attributes).toEqual({ 'user.id': 'u' })
    expect(inCurrentShape(span)).toBe(view)
    expect(view.ended).toBe(true)
  })

  it('is adapted, and a current span is returned unchanged', () => {
    const span = { name: 'new', instrumentationScope: { name: 'ai' } } as unknown as Span
    expect(inCurrentShape(span)).toBe(span)
  })
})
