// An application with an OpenTelemetry of its own. Prints what its exporter has, and what the API answers.
import { createServer } from 'node:http'
import { context, metrics, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import OpenAI from 'openai'
import { before, exporter, lines, logs, own, provider, registered } from './own-set-up.mjs'

const report = (what, value) => console.log(`${what}: ${JSON.stringify(value)}`)

report('logger', logs)
report('registered', registered)
report('again', [trace.setGlobalTracerProvider(new TracerProvider()), metrics.getMeter('any'), propagation.fields()])
report('is the provider', trace.getTracerProvider().getDelegate() === provider)

/** Its own spans, also around what goes on inside a call that svc records. */
const client = new OpenAI({
  fetch: (...request) =>
    trace.getTracer('own').startActiveSpan('fetch', async (span) => {
      const response = await fetch(...request)
      span.end()
      return response
    }),
})
const ask = () => client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content: 'Hello.' }] })

await trace
  .getTracer('own')
  .startActiveSpan('agent', { attributes: { 'gen_ai.operation.name': 'invoke_agent' } }, async (span) => {
    before.startSpan('from before').end()
    own.startActiveSpan('not about models', (inner) => inner.end())
    await ask()
    span.end()
  })
await ask()

const server = createServer(async (_request, response) => {
  await trace.getTracer('own').startActiveSpan('handler', async (span) => {
    await ask()
    span.end()
  })
  await ask()
  response.end()
}).listen(0)
await new Promise((listening) => server.once('listening', listening))
await (await fetch(`http://127.0.0.1:${server.address().port}`)).text()
server.close()

context.with(ROOT_CONTEXT, () => report('active', [trace.getActiveSpan() ?? null, context.active() === ROOT_CONTEXT]))
report('active outside', context.active() === ROOT_CONTEXT)
const spans = exporter.getFinishedSpans()
const nameOf = (id) => spans.find((span) => span.spanContext().spanId === id)?.name ?? id
for (const { name, attributes, parentSpanContext, resource } of spans)
  report(name, [attributes, nameOf(parentSpanContext?.spanId) ?? null, resource === spans[0].resource])
await provider.forceFlush()
await provider.shutdown()
report('lines', lines)
