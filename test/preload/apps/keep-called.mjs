// Answers each request in an observation with an error inside, until a signal ends it.
import { createServer } from 'node:http'
import { startActiveObservation } from '@svc/tracing'

createServer(async (_, response) => {
  await startActiveObservation('called', () =>
    startActiveObservation('inside', async (inside) => void inside.update({ level: 'ERROR' })),
  )
  response.end('ok')
}).listen(0, '127.0.0.1', function () {
  console.log(`listening on ${this.address().port}`)
})
