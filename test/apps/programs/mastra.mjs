// An agent of Mastra with its observability: an exporter of its own, and one for OpenTelemetry. What both get is printed.
import { createOpenAI } from '@ai-sdk/openai'
import { Mastra } from '@mastra/core'
import { Agent } from '@mastra/core/agent'
import { BaseExporter, Observability } from '@mastra/observability'
import { OtelExporter } from '@mastra/otel-exporter'
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace-base'

class Printed extends BaseExporter {
  name = 'printed'
  async _exportTracingEvent({ type, exportedSpan }) {
    const { name, isEvent, attributes = {}, input, output } = exportedSpan
    if (type === 'span_ended')
      console.log(name, { isEvent }, Object.keys(attributes).sort(), typeof input, typeof output)
  }
  async shutdown() {
    console.log('shut down')
  }
}

const exporter = new InMemorySpanExporter()
// Its spans are gone with its end.
exporter.shutdown = async () => {
  const spans = exporter.getFinishedSpans()
  for (const { name, parentSpanContext, attributes, resource } of spans) {
    const parent = spans.find((span) => span.spanContext().spanId === parentSpanContext?.spanId)
    console.log(name, 'in', parent?.name, Object.keys(attributes).sort(), resource.attributes['service.name'])
  }
}
const exporters = [
  new Printed({}),
  new OtelExporter({ exporter, provider: { custom: { endpoint: 'http://127.0.0.1:9' } } }),
]
const observability = new Observability({ configs: { default: { serviceName: 'shop', exporters } } })
const model = createOpenAI().chat('gpt-test')
const guide = new Agent({ id: 'guide', name: 'guide', instructions: 'Be brief.', model })
const agent = new Mastra({ agents: { guide }, observability, logger: false }).getAgent('guide')
console.log((await agent.generate('Say hello.')).text)
for await (const part of (await agent.stream('Say hello.')).textStream) process.stdout.write(part)
console.log()
await observability.shutdown()
