// An OpenTelemetry of an application's own: all of what the API has a place for.
import { context, DiagLogLevel, diag, metrics, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

export const lines = []
const keep = (line) => lines.push(String(line).split('\n')[0])
const logger = { error: keep, warn: keep, info: keep, debug() {}, verbose() {} }

/** A tracer that was taken before its provider was registered. */
export const before = trace.getTracer('before')
export const logs = diag.setLogger(logger, DiagLogLevel.INFO)
export const exporter = new InMemorySpanExporter()
export const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
export const own = provider.getTracer('own')
export const registered = [
  trace.setGlobalTracerProvider(provider),
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()),
  propagation.setGlobalPropagator({ inject() {}, extract: (given) => given, fields: () => ['x-own'] }),
  metrics.setGlobalMeterProvider({ getMeter: () => 'meter' }),
]
