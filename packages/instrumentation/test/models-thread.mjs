// Does what `models.ts` tells it.
import { request } from 'node:http'
import { createServer } from 'node:http2'
import { pipeline } from 'node:stream'
import { parentPort } from 'node:worker_threads'
import { startModelServer } from '@svc-examples/model-server'

let server
let http2

const does = {
  start: async () => {
    server = await startModelServer()
    return server.url
  },
  requests: () => server.requests().length,
  startHttp2: () =>
    new Promise((resolve) => {
      http2 = createServer().on('stream', pass)
      http2.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${http2.address().port}`))
    }),
  close: async () => {
    http2?.close()
    await server.close()
  },
}

/** Passes a request of HTTP/2 to the server, and its response back; one that breaks ends in an error. */
function pass(stream, { ':path': path, ':method': method, 'content-type': type }) {
  const passed = request(server.url + path, { method, headers: { 'content-type': type } }, (response) => {
    stream.respond({ ':status': response.statusCode, 'content-type': response.headers['content-type'] })
    pipeline(response, stream, () => {})
  })
  pipeline(stream, passed, () => {})
}

parentPort.on('message', async (what) => parentPort.postMessage(await does[what]()))
