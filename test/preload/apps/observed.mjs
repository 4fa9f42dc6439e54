// What an application observes itself, in requests: all of it, steps of it, and a call that is made when all is over.
import { createServer } from 'node:http'
import { startActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'

const client = new OpenAI()
const ask = (content) => client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content }] })
const routes = {
  '/whole': () => startActiveObservation('turn', () => ask('whole')),
  '/steps': async () => {
    await ask('before')
    await startActiveObservation('step', () => ask('inside'))
  },
  '/failing': async (response) => {
    await ask('failing')
    response.statusCode = 503
  },
}

const server = createServer(async (request, response) => {
  await routes[request.url]?.(response)
  response.end('done')
  if (request.url !== '/late') return
  response.once('close', () => setImmediate(() => ask('late').then(() => console.log('asked'))))
})
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
})
