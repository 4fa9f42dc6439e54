// An application that speaks OpenTelemetry's API itself, in whatever version it has, under the preload.
import { createServer, get } from 'node:http'
import { trace } from '@opentelemetry/api'
import { startActiveObservation } from '@svc/tracing'

if (process.argv[2] === 'request') {
  const server = createServer((_, response) => response.end())
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  await new Promise((resolve) =>
    get(`http://127.0.0.1:${server.address().port}`, (answer) => answer.resume().on('end', resolve)),
  )
  server.close()
}
trace.getTracer('svc-sdk').startActiveSpan('outer', (outer) => {
  trace.getTracer('svc-sdk').startActiveSpan('inner', (inner) => {
    startActiveObservation('within', () => {})
    inner.end()
  })
  outer.end()
})
