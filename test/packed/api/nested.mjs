// Two copies: one of the application, and one of a library of its, whose name is the argument.
import { trace } from '@opentelemetry/api'

const { trace: inner } = await import(process.argv[2])
trace.getTracer('svc-sdk').startActiveSpan('outer', (outer) => {
  inner.getTracer('svc-sdk').startSpan('inner').end()
  outer.end()
})
