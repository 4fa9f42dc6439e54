import { type Attributes, type AttributeValue, type SpanContext, TraceFlags } from '@opentelemetry/api'
import type { InstrumentationScope } from '@opentelemetry/core'
import type { Span } from '@opentelemetry/sdk-trace'

/** A span of the application as our processor sees it. */
export type Observed = Span

interface Place {
  /** Whether we record the same call: then it is not sent. */
  readonly isDuplicate?: boolean | undefined
  /** The parent in our trace; null for none. Default: its own. */
  readonly parent?: SpanContext | null
}

/**
 * Returns a live view of a span that the application's provider has started. What our processor writes stays in the view.
 */
export function observed(span: Span, { isDuplicate, parent }: Place): Observed {
  const written: Attributes = {}
  const view: Observed = Object.create(span, {
    // What the application writes later wins, as where both write on the span.
    attributes: { get: () => ({ ...written, ...span.attributes }) },
    spanContext: {
      value: () => (isDuplicate ? { ...span.spanContext(), traceFlags: TraceFlags.NONE } : span.spanContext()),
    },
    setAttribute: { value: (key: string, value: AttributeValue) => view.setAttributes({ [key]: value }) },
    setAttributes: {
      value: (attributes: Attributes) => {
        Object.assign(written, attributes)
        return view
      },
    },
    // 1.x knows the id only.
    ...(parent !== undefined && {
      parentSpanContext: { value: parent ?? undefined },
      parentSpanId: { value: parent?.spanId },
    }),
  })
  return view
}

/** The name of a span's scope, which 1.x calls a library. */
export function scopeOf(span: Span & { readonly instrumentationLibrary?: InstrumentationScope }): string {
  return (span.instrumentationScope ?? span.instrumentationLibrary)?.name ?? ''
}

/** Where spans tell their parent: of the SDK from 2.x on, of 1.x, and of Sentry. */
interface ToldParent {
  readonly parentSpanContext?: SpanContext
  readonly parentSpanId?: string
  readonly _parentSpanId?: string
}

/** The id of the parent that a span tells; undefined for none. */
export function parentIdOf({ parentSpanContext, parentSpanId, _parentSpanId }: ToldParent): string | undefined {
  return parentSpanContext?.spanId ?? parentSpanId ?? _parentSpanId
}
