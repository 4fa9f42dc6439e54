// An agent of VoltAgent with an observability of its own. What its processors, storage and resource have is printed.
import { createOpenAI } from '@ai-sdk/openai'
import { trace } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { Agent, VoltAgentObservability } from '@voltagent/core'

const exporter = new InMemorySpanExporter()
const spanProcessors = [new SimpleSpanProcessor(exporter)]
const observability = new VoltAgentObservability({
  serviceName: 'shop',
  spanProcessors,
  spanFilters: { enabled: false },
})
console.log('is the provider', trace.getTracerProvider().getDelegate() === observability.getProvider())
const model = createOpenAI().chat('gpt-test')
const agent = new Agent({ name: 'guide', instructions: 'Be brief.', model, observability })
await trace.getTracer('shop').startActiveSpan('own work', async (span) => {
  console.log((await agent.generateText('Say hello.')).text)
  for await (const part of (await agent.streamText('Say hello.')).textStream) process.stdout.write(part)
  console.log()
  span.end()
})
await observability.forceFlush()
const spans = exporter.getFinishedSpans()
for (const { name, parentSpanContext, attributes, resource } of spans) {
  const parent = spans.find((span) => span.spanContext().spanId === parentSpanContext?.spanId)
  console.log(name, 'in', parent?.name, Object.keys(attributes).sort(), resource.attributes['service.name'])
}
const stored = await observability.getTraceFromStorage(spans[0].spanContext().traceId)
console.log('stored', stored.length)
await observability.shutdown()
console.log('shut down')
// It looks for models every hour, which keeps a program running.
process.exit()
