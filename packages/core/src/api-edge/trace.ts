import type { TracerProvider } from '@opentelemetry/api'
import type * as api from '../api.ts'
import { apiGlobal } from '../api-global.ts'
import { standIn, tracerOf } from './tracer.ts'

export {
  deleteSpan,
  getActiveSpan,
  getSpan,
  getSpanContext,
  setSpan,
  setSpanContext,
  wrapSpanContext,
} from './span.ts'

export const getTracerProvider: typeof api.trace.getTracerProvider = () => registered() ?? LATER

const registered = () => apiGlobal()?.trace as TracerProvider | undefined

/** For tracers that are taken before a provider is registered: they look for it at each span. */
const LATER: TracerProvider = {
  getTracer: (...scope) =>
    tracerOf((...span) => {
      const provider = registered()
      return provider ? provider.getTracer(...scope).startSpan(...span) : standIn(...span)
    }),
}
