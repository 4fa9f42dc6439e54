// The same in CommonJS.
const { metrics, trace } = require('@opentelemetry/api')
globalThis.earlier = trace.getTracer('svc-sdk')
metrics.setGlobalMeterProvider({ getMeter: () => undefined })
