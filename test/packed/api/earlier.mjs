// A preload before ours: takes a tracer, and registers a meter provider.
import { metrics, trace } from '@opentelemetry/api'

globalThis.earlier = trace.getTracer('svc-sdk')
metrics.setGlobalMeterProvider({ getMeter: () => undefined })
