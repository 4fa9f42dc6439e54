// What our packages use of OpenTelemetry's API where they may run on an edge runtime, which has a form of its own.
export {
  context,
  createContextKey,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  isValidSpanId,
  isValidTraceId,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
