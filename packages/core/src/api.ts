import { context as contextApi, trace as traceApi } from '@opentelemetry/api'
import { behind } from './shown.ts'

// What our packages use of OpenTelemetry's API where they may run on an edge runtime, which has a form of its own.
export {
  createContextKey,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  isValidSpanId,
  isValidTraceId,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
} from '@opentelemetry/api'

// Only the methods that api-edge.ts has, too: the compiler reports any other one, which would be missing there.
export const context: Pick<typeof contextApi, 'active' | 'with'> = {
  active: () => behind(contextApi.active()),
  with: (...args) => contextApi.with(...args),
}

export const trace: Pick<
  typeof traceApi,
  | 'deleteSpan'
  | 'getActiveSpan'
  | 'getSpan'
  | 'getSpanContext'
  | 'getTracerProvider'
  | 'setSpan'
  | 'setSpanContext'
  | 'wrapSpanContext'
> = Object.assign(Object.create(traceApi), { getActiveSpan: () => traceApi.getSpan(context.active()) })
