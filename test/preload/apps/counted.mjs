// Calls of a model, streamed, priced and failing ones among them, of a tool, an agent and an MCP server. With STAY it
// lives until it is told to end; END says how it ends.
import { SpanKind, trace } from '@opentelemetry/api'
import { startActiveObservation, startObservation } from '@svc/tracing'
import OpenAI from 'openai'

const client = new OpenAI({ maxRetries: 0 })
const ask = (more) =>
  client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content: 'Say hello.' }], ...more })
await startActiveObservation('guide', () => startActiveObservation('weather', () => ask(), { asType: 'tool' }), {
  asType: 'agent',
})
for await (const _ of await ask({ stream: true, stream_options: { include_usage: true } }));
await ask({ model: 'error-429' }).catch(() => {})
const priced = { model: 'gpt-test', costDetails: { total: 0.25 }, usageDetails: { input: 3, output: 4 } }
startObservation('by hand', priced, { asType: 'generation' }).end()
const attributes = {
  'mcp.method.name': 'tools/call',
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'weather',
}
trace.getTracer('mcp').startSpan('tools/call weather', { kind: SpanKind.CLIENT, attributes }).end()
for (let call = 0; call < Number(process.env.MODELS ?? 0); call++) await ask({ model: `model-${call}` })
console.log('done')
if (process.env.STAY) {
  const awake = setInterval(() => {}, 1_000)
  process.on('SIGTERM', () => clearInterval(awake))
}
const ends = {
  'flush and process.exit': async () => {
    await trace.getTracerProvider().getDelegate().forceFlush()
    process.exit(3)
  },
  'process.exit': () => process.exit(3),
  'an error': () => {
    setImmediate(() => {
      throw new Error('fails')
    })
  },
  SIGTERM: () => {
    setInterval(() => {}, 1_000)
    process.kill(process.pid, 'SIGTERM')
  },
}
await ends[process.env.END]?.()
