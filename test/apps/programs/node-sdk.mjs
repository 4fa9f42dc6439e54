// An application with OpenTelemetry's NodeSDK and the processor of svc. The spans that its own exporter gets are printed.
import { trace } from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'
import { SvcSpanProcessor } from '@svc/otel'
import { serve } from './serve.mjs'

const exporter = new InMemorySpanExporter()
const own = new SimpleSpanProcessor({ exporter })
const sdk = new NodeSDK({ serviceName: 'shop', spanProcessors: [new SvcSpanProcessor(), own] })
sdk.start()
const tracer = trace.getTracer('shop')
await serve((work) => tracer.startActiveSpan('own work', (span) => work().finally(() => span.end())))
const spans = exporter.getFinishedSpans()
for (const { name, parentSpanContext, attributes, resource } of spans) {
  const parent = spans.find((span) => span.spanContext().spanId === parentSpanContext?.spanId)
  console.log(name, 'in', parent?.name, Object.keys(attributes), resource.attributes['service.name'])
}
await sdk.shutdown()
console.log('shut down')
