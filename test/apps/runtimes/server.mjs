// Serves by `node:http`, or by the server of the runtime, with an observation in each request.
import { createServer } from 'node:http'
import { propagateAttributes, startActiveObservation } from '@svc/tracing'

const answer = (userId) =>
  propagateAttributes({ userId }, () =>
    startActiveObservation('answer', async (observation) => {
      observation.update({ input: userId })
      await both
      return `for ${userId}`
    }),
  )
let asked = 0
let release
const both = new Promise((resolve) => {
  release = resolve
})
const each = (user) => {
  asked++
  if (asked === 2) release()
  return answer(user)
}
const web = async (request) => new Response(await each(request.headers.get('user')))

if (process.argv.at(-1) === 'node:http') {
  const server = createServer(async (request, response) => response.end(await each(request.headers.user)))
  server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`))
} else if (globalThis.Bun) {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', routes: { '/users/:id': web } })
  console.log(`port ${server.port}`)
} else {
  Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: ({ port }) => console.log(`port ${port}`) }, web)
}
