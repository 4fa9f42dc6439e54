// An application that sets OpenTelemetry up with the NodeSDK, whose destination is its own.
import { NodeSDK } from '@opentelemetry/sdk-node'
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'
import { OpenAIInstrumentation } from '@traceloop/instrumentation-openai'

const exporter = new InMemorySpanExporter()
const instrumentation = new OpenAIInstrumentation()
const sdk = new NodeSDK({
  spanProcessors: [new SimpleSpanProcessor({ exporter })],
  instrumentations: [instrumentation],
})
sdk.start()
instrumentation.manuallyInstrument((await import('openai')).OpenAI)
