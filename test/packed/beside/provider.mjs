// An application with a provider of its own, and the processor in it. A parent that is left out, and its child.
import { context, trace } from '@opentelemetry/api'
import { SvcSpanProcessor } from '@svc/otel'
import * as sdk from 'sdk'

const Provider = sdk.TracerProvider ?? sdk.BasicTracerProvider
const processor = new SvcSpanProcessor()
const provider = new Provider({ spanProcessors: [processor] })
const tracer = provider.getTracer('svc-sdk')

const outer = tracer.startSpan('outer')
const under = (span) => trace.setSpan(context.active(), span)
const left = provider.getTracer('http').startSpan('left out', {}, under(outer))
const inner = tracer.startSpan('inner', {}, under(left))
for (const span of [inner, left, outer]) span.end()
await provider.forceFlush()

// And the same with an exporter of the SDK's behind the processor.
const exporter = new sdk.InMemorySpanExporter()
const exporting = new Provider({ spanProcessors: [new SvcSpanProcessor({ exporter })] })
exporting.getTracer('svc-sdk').startSpan('exported').end()
await exporting.forceFlush()
console.log(
  exporter
    .getFinishedSpans()
    .map(({ name }) => name)
    .join(),
)
