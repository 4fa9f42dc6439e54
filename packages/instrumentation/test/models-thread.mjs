// Does what `models.ts` tells it.
import { parentPort } from 'node:worker_threads'
import { startModelServer } from '@svc-examples/model-server'

let server
const does = {
  start: async () => {
    server = await startModelServer()
    return server.url
  },
  requests: () => server.requests().length,
  close: () => server.close(),
}
parentPort.on('message', async (what) => parentPort.postMessage(await does[what]()))
