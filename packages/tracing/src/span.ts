import type { Context, Span, SpanContext, SpanOptions, TimeInput } from '@opentelemetry/api'
import { context, INVALID_SPAN_CONTEXT, isSpanContextValid, TraceFlags, trace } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import { warnOnce } from '@svc/core/log'
import { type ObservationKind, typeAttribute } from './kinds.ts'
import { getSvcTracer } from './provider.ts'

/** Starts the span of an observation under `parent`. Never throws: if the tracer fails, the span records nothing. */
export function startSpan(
  kind: ObservationKind,
  name: string,
  startTime: TimeInput | undefined,
  parent: Context,
): Span {
  const options = { attributes: typeAttribute(kind), ...(startTime === undefined ? {} : { startTime }) }
  const known = typeof name === 'string' && name !== '' ? name : unnamed()
  return attempt('start a span', startWorking, known, options, parent) ?? trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
}

/** Returns a span if it works like one; throws, or returns undefined, if not. */
function startWorking(name: string, options: SpanOptions, parent: Context): Span | undefined {
  const span = getSvcTracer().startSpan(name, options, parent)
  return span.spanContext() && typeof span.isRecording() === 'boolean' ? span : undefined
}

/** Returns the active context, with `parentSpanContext`, if given, in place of the active span. */
export function parentContext(parentSpanContext: SpanContext | undefined): Context {
  const active = context.active()
  if (parentSpanContext === undefined || parentSpanContext === null) return active
  const { traceId, spanId, traceFlags = TraceFlags.SAMPLED } = parentSpanContext
  const parent = { ...parentSpanContext, traceId, spanId, traceFlags }
  if (isSpanContextValid(parent)) return trace.setSpanContext(active, parent)
  warnOnce('parentSpanContext is ignored: expected traceId (32 hex digits) and spanId (16 hex digits), not all zero.')
  return active
}

/** Returns a time from the caller if it is valid. */
export function timeOf(time: TimeInput | undefined, what: 'startTime' | 'endTime'): TimeInput | undefined {
  if (time === undefined || time === null) return undefined
  if (isTime(time)) return time
  warnOnce(`${what} of an observation is ignored: expected a Date, milliseconds or [seconds, nanoseconds].`)
  return undefined
}

function isTime(time: unknown): time is TimeInput {
  if (time instanceof Date) return !Number.isNaN(time.getTime())
  return Array.isArray(time) ? time.length === 2 && time.every(Number.isFinite) : Number.isFinite(time)
}

function unnamed(): string {
  warnOnce('an observation without a name is called "unnamed": expected a string.')
  return 'unnamed'
}
