// An application with an OpenTelemetry of its own. Prints what its exporter has, and what the API answers.
import { createServer } from 'node:http'
import { context, logs, metrics, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import OpenAI from 'openai'
import {
  accepted,
  before,
  countBefore,
  exporter,
  lines,
  logExporter,
  loggers,
  logsBefore,
  meters,
  metricExporter,
  own,
  provider,
  registered,
} from './own-set-up.mjs'

const report = (what, value) => console.log(`${what}: ${JSON.stringify(value)}`)

report('logger', accepted)
report('registered', registered)
report('again', [
  trace.setGlobalTracerProvider(new TracerProvider()),
  metrics.setGlobalMeterProvider(meters),
  propagation.fields(),
])
report('are the providers', [
  trace.getTracerProvider().getDelegate() === provider,
  metrics.getMeterProvider() === meters,
  logs.getLoggerProvider() === loggers,
])

/** What it makes of the span that is active: it writes on it, logs, and tells others. */
function use(where) {
  const carrier = {}
  propagation.inject(context.active(), carrier)
  const [active, again] = [context.active(), context.active()]
  report(where, [trace.getSpan(active)?.name ?? null, carrier, active === again])
  trace.getActiveSpan()?.setAttribute(where, true).addEvent(where)
  for (const logger of [logsBefore, logs.getLogger('own')]) logger.emit({ body: where })
  countBefore.add(1)
  metrics.getMeter('own').createCounter('own').add(1)
}

/** Its own spans, also around what goes on inside a call that svc records. */
const client = new OpenAI({
  fetch: (...request) => {
    use('in a call')
    const parent = context.active().setValue(Symbol.for('own'), 1)
    return trace.getTracer('own').startActiveSpan('fetch', {}, parent, async (span) => {
      const response = await fetch(...request)
      span.end()
      return response
    })
  },
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
  use('in a request')
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
const inSpan = ({ body, instrumentationScope, spanContext }) => [
  body,
  instrumentationScope.name,
  nameOf(spanContext?.spanId),
]
report('logs', logExporter.getFinishedLogRecords().map(inSpan))
await meters.forceFlush()
const measured = metricExporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics)
const points = ({ scope, metrics }) =>
  metrics.map(({ descriptor, dataPoints }) => [scope.name, descriptor.name, dataPoints.map(({ value }) => value)])
report('metrics', measured.flatMap(points))
await meters.shutdown()
await loggers.shutdown()
await provider.forceFlush()
await provider.shutdown()
report('lines', lines)
