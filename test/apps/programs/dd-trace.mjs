// An application with dd-trace, which serves OpenTelemetry's API as well. The spans that it would send are printed.
import { createRequire } from 'node:module'
import { trace } from '@opentelemetry/api'

const spans = []
const { write } = process.stdout
process.stdout.write = function (text, ...more) {
  if (!String(text).startsWith('{"traces":')) return write.call(this, text, ...more)
  spans.push(...JSON.parse(text).traces.flat())
}
process.on('exit', () => {
  const nameOf = (id) => spans.find(({ span_id }) => span_id === id)?.name
  const lines = spans.map(({ name, parent_id, resource, error, meta, metrics }) =>
    [
      name,
      resource,
      error,
      meta['http.url'],
      'in',
      nameOf(parent_id),
      ...Object.keys({ ...meta, ...metrics }).sort(),
    ].join(' '),
  )
  console.log(lines.sort().join('\n'))
})

const require = createRequire(import.meta.url)
const tracer = require('dd-trace').init({ experimental: { exporter: 'log' }, startupLogs: false })
// Only what is required is instrumented: the client of HTTP as well, by which svc sends.
require('node:http')
require('node:https')
new tracer.TracerProvider().register()
const { serve } = await import('./serve.mjs')
await serve((work) => trace.getTracer('app').startActiveSpan('own work', (span) => work().finally(() => span.end())))
