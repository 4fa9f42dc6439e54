// An OpenTelemetry of an application's own: all of what the API has a place for.
import { context, DiagLogLevel, diag, logs, metrics, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import { InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

export const lines = []
const keep = (line) => lines.push(String(line).split('\n')[0])
const logger = { error: keep, warn: keep, info: keep, debug() {}, verbose() {} }

/** What was taken before its provider was registered. */
export const before = trace.getTracer('before')
export const logsBefore = logs.getLogger('before')
export const countBefore = metrics.getMeter('before').createCounter('before')
export const accepted = diag.setLogger(logger, DiagLogLevel.INFO)
export const exporter = new InMemorySpanExporter()
export const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
export const own = provider.getTracer('own')
export const logExporter = new InMemoryLogRecordExporter()
const processors = [new SimpleLogRecordProcessor({ exporter: logExporter })]
export const loggers = new LoggerProvider({ processors })
export const metricExporter = new InMemoryMetricExporter(1)
export const meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter: metricExporter })] })
export const registered = [
  trace.setGlobalTracerProvider(provider),
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()),
  propagation.setGlobalPropagator({
    inject: (given, carrier) => Object.assign(carrier, { 'x-own': trace.getSpan(given)?.name ?? 'none' }),
    extract: (given) => given,
    fields: () => ['x-own'],
  }),
  metrics.setGlobalMeterProvider(meters),
  logs.setGlobalLoggerProvider(loggers),
]
