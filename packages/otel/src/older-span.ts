import { type Context, type SpanContext, trace } from '@opentelemetry/api'
import type { InstrumentationScope, ReadableSpan } from './sdk.ts'

/** What spans of OpenTelemetry's SDK 1.x call otherwise than those of 2.x and 3.x. */
interface OlderSpan {
  readonly instrumentationLibrary?: InstrumentationScope
  readonly parentSpanId?: string
}

/** One for each span: what is noted on it at its start is looked for at its end. */
const VIEWS = new WeakMap<ReadableSpan, ReadableSpan>()

/**
 * The span as SDK 2.x and 3.x have it. One of SDK 1.x is looked at through names of today; what is written to it
 * reaches it.
 *
 * @param parentContext the context that it starts in, where that is known: it says whether the parent is in another
 * process, which such a span does not
 */
export function inCurrentShape<S extends ReadableSpan>(span: S, parentContext?: Context): S {
  if (span.instrumentationScope !== undefined) return span
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
