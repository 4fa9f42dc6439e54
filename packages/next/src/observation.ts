import type { Attributes, Context, Span, TimeInput } from '@opentelemetry/api'
import { own } from '@svc/core/own'
import type { ObservationKind } from '@svc/tracing'
import { kindOf, SPAN_FIELD, startSpan } from '@svc/tracing/adapters'

/** The values that the wrappers of this package write to an observation, as text already. */
interface Fields {
  readonly input?: string | undefined
  readonly output?: string | undefined
  readonly level?: 'WARNING' | 'ERROR' | undefined
  readonly statusMessage?: string | undefined
}

/**
 * Starts the span of an observation. Without the classes of `@svc/tracing`, whose checks and tables of fields are for values
 * of an application: every request would pay for them, and every edge bundle.
 */
export function startObservation(parent: Context, name: string, asType: ObservationKind | undefined): Span {
  return startSpan(kindOf(asType), name, undefined, parent)
}

/** Writes fields to the span of an observation that has not ended. */
export function writeFields(span: Span, fields: Fields): void {
  if (!span.isRecording()) return
  const attributes: Attributes = {}
  for (const name in fields) {
    const value = own(fields, name as keyof Fields)
    if (value !== undefined) attributes[SPAN_FIELD[name as keyof Fields]] = value
  }
  span.setAttributes(attributes)
}

/** Ends an observation, unless the application has ended its span. */
export function endObservation(span: Span, at?: TimeInput): void {
  if (span.isRecording()) span.end(at)
}
