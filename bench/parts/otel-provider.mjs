// The plainest OpenTelemetry of an application that makes its own spans: a provider, batches, OTLP.
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

const exporting = new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [exporting] }))
