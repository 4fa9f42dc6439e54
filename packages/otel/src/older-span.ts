import type { Context, SpanContext } from '@opentelemetry/api'
import { trace } from '@svc/core/api'
import type { InstrumentationScope, ReadableSpan } from './sdk.ts'

/** Properties of spans whose names differ between OpenTelemetry's SDK 1.x and 2.x or 3.x. */
interface OlderSpan {
  readonly instrumentationLibrary?: InstrumentationScope
  readonly parentSpanId?: string
}

/** One view for each span, because properties set at its start are read at its end. */
const VIEWS = new WeakMap<ReadableSpan, ReadableSpan>()

/**
 * Returns the span in the form of SDK 2.x and 3.x. A span of SDK 1.x is wrapped in a view with the current names;
 * writes reach the span.
 *
 * @param parentContext the context that it starts in, where that is known: it says whether the parent is in another
 * process, which such a span does not
 */
export function inCurrentShape<S extends ReadableSpan>(span: S, parentContext?: Context): S {
  return span.instrumentationScope === undefined ? viewOf(span, parentContext) : span
}

function viewOf<S extends ReadableSpan>(span: S, parentContext: Context | undefined): S {
  const known = VIEWS.get(span) as S | undefined
  if (known) return known
  const { instrumentationLibrary, parentSpanId } = span as OlderSpan
  if (!instrumentationLibrary) return span
  const view: S = Object.create(span, {
    instrumentationScope: { value: instrumentationLibrary, enumerable: true },
    ...(parentSpanId ? { parentSpanContext: { value: parentOf(span, parentSpanId, parentContext) } } : {}),
  })
  VIEWS.set(span, view)
  return view
}

function parentOf(span: ReadableSpan, spanId: string, parentContext: Context | undefined): SpanContext {
  const above = parentContext && trace.getSpanContext(parentContext)
  return above?.spanId === spanId ? above : { ...span.spanContext(), spanId }
}
