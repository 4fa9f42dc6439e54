// A server of one kind that answers inside an observation with the baggage that it would hand on to other services.
// Below /again it extracts by itself what the client sent, as a proxy of an application does.
import { createServer } from 'node:http'
import { createServer as createServer2 } from 'node:http2'
import { context, propagation } from '@opentelemetry/api'
import { startActiveObservation } from '@svc/tracing'

const answer = () =>
  startActiveObservation('answer', async () => {
    await new Promise(setImmediate)
    const headers = {}
    propagation.inject(context.active(), headers)
    return headers.baggage ?? 'none'
  })

function answerTo(url, { traceparent, baggage }) {
  if (!url.startsWith('/again')) return answer()
  return context.with(propagation.extract(context.active(), { traceparent, baggage }), answer)
}

const handle = async (request, response) => response.end(await answerTo(request.url, request.headers))

const KINDS = {
  http: () => listen(createServer(handle)),
  http2: () => listen(createServer2(handle)),
  async express() {
    const { default: express } = await import('express')
    listen(createServer(express().get('/{*any}', handle)))
  },
  async fastify() {
    const { fastify } = await import('fastify')
    const app = fastify()
    app.get('/*', (request) => answerTo(request.url, request.headers))
    await app.ready()
    listen(app.server)
  },
}

function listen(server) {
  server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
  process.on('SIGTERM', () => {
    server.closeAllConnections?.()
    server.close()
  })
}

await KINDS[process.env.KIND]()
