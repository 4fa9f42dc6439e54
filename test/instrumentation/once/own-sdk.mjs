// An application that sets OpenTelemetry up itself, as its NodeSDK would: a provider of its own, and instrumentations that
// use it.
import { createRequire } from 'node:module'
import { trace } from '@opentelemetry/api'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { OpenAIInstrumentation } from '@traceloop/instrumentation-openai'

const exporter = new InMemorySpanExporter()
const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
trace.setGlobalTracerProvider(tracerProvider)
const instrumentation = new OpenAIInstrumentation()
registerInstrumentations({ tracerProvider, instrumentations: [instrumentation] })
instrumentation.manuallyInstrument((await import('openai')).OpenAI)
instrumentation.manuallyInstrument(createRequire(import.meta.url)('openai').OpenAI)

// Its own destination has what it asked for.
globalThis.flush = () => {
  const scopes = exporter.getFinishedSpans().map(({ instrumentationScope }) => instrumentationScope.name)
  console.error(`spans of ${[...new Set(scopes)]} are its own`)
}
