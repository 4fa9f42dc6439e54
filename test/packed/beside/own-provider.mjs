// An application with a provider of its own, whose exporter has its spans.
import { trace } from '@opentelemetry/api'
import * as sdk from 'sdk'

const exporter = new sdk.InMemorySpanExporter()
const processor = sdk.TracerProvider ? new sdk.SimpleSpanProcessor({ exporter }) : new sdk.SimpleSpanProcessor(exporter)
const provider = new (sdk.TracerProvider ?? sdk.BasicTracerProvider)({ spanProcessors: [processor] })
console.log(trace.setGlobalTracerProvider(provider))
trace.getTracer('app').startActiveSpan('outer', { attributes: { 'gen_ai.operation.name': 'chat' } }, (span) => {
  provider.getTracer('app').startSpan('inner').end()
  span.end()
})
for (const { name, attributes } of exporter.getFinishedSpans())
  console.log(name, JSON.stringify(Object.keys(attributes)))
await provider.shutdown()
