// An HTTP server that answers inside an observation, and says nothing about user or session itself. Its answer is the
// baggage that it would hand on to other services.
import { createServer } from 'node:http'
import { context, propagation } from '@opentelemetry/api'
import { startActiveObservation, startObservation, withoutSvcBaggage } from '@svc/tracing'

const answer = () =>
  startActiveObservation('answer', async () => {
    await new Promise(setImmediate)
    startObservation('think').end()
    const headers = {}
    propagation.inject(context.active(), headers)
    return headers.baggage ?? 'none'
  })

const server = createServer(async (request, response) => {
  const within = request.url === '/refused' ? withoutSvcBaggage(context.active()) : context.active()
  response.end(await context.with(within, answer))
})
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
})
