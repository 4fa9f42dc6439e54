// The preload of somebody who uses OpenTelemetry as it comes: a provider, batches, OTLP over HTTP with gzip.
import { trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

const exporter = new OTLPTraceExporter({ url: `${process.env.SVC_BASE_URL}/v1/traces`, compression: 'gzip' })
const delay = Number(process.env.SVC_FLUSH_INTERVAL ?? 5) * 1_000
const provider = new TracerProvider({
  spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: delay })],
})
trace.setGlobalTracerProvider(provider)
globalThis.stock = provider
