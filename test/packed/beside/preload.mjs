// An application that speaks OpenTelemetry's API itself, in whatever version it has, under the preload.
import { trace } from '@opentelemetry/api'

trace.getTracer('svc-sdk').startActiveSpan('outer', (outer) => {
  trace.getTracer('svc-sdk').startSpan('inner').end()
  outer.end()
})
