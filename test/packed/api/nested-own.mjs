// As `nested.mjs`, where the application has providers of its own: what the library's copy sees of them.
import { metrics, trace } from '@opentelemetry/api'

const library = await import(process.argv[2])
const seen = []
const startSpan = (name) => {
  seen.push(name)
  return trace.wrapSpanContext({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 0 })
}
// Copies remember what they once saw.
library.trace.getActiveSpan()
trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) })
const meters = { getMeter: () => {} }
metrics.setGlobalMeterProvider(meters)
for (const { trace: each } of [{ trace }, library])
  each.getTracer('of-a-library').startSpan(`span ${seen.length}`).end()
console.log(seen, library.metrics.getMeterProvider() === meters)
