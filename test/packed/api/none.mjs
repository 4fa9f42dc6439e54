// An application without a copy of the API: what is registered is there all the same.
const { trace } = globalThis[Symbol.for('opentelemetry.js.api.1')]
trace.getTracer('svc-sdk').startSpan('outer').end()
