// A thread of its own: what a process asks of itself is no call of a model.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { parentPort, workerData } from 'node:worker_threads'

const server = createServer(async (request, response) => {
  const { stream } = await json(request)
  const { answer, chunks, headers = {} } = workerData[Number(request.url.split('/')[1])]
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json')
  const events = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
  response.end(stream ? events.map((event) => `data: ${event}\n\n`).join('') : JSON.stringify(answer))
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
