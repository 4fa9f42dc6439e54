// What instrumentation.ts of a Next application says, without Next.
import { trace } from '@opentelemetry/api'
import { SvcSpanProcessor } from '@svc/otel'
import { registerOTel } from '@vercel/otel'

const processor = new SvcSpanProcessor()
registerOTel({ serviceName: 'shop', spanProcessors: [processor] })
trace.getTracer('svc-sdk').startActiveSpan('outer', (outer) => {
  trace.getTracer('svc-sdk').startSpan('inner').end()
  outer.end()
})
await processor.forceFlush()
process.exit()
