// A thread of its own: what a process asks of itself is no call of a model.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { parentPort, workerData } from 'node:worker_threads'

const server = createServer(async (request, response) => {
  const [place, pieces] = request.url.split('/')[1].split('.')
  const body = await json(request)
  const stream = body.stream || request.url.includes(':stream')
  const { answer, chunks, headers = {} } = workerData[Number(place)]
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json')
  const events = chunks.map(
    (chunk) => `${chunk.type ? `event: ${chunk.type}\n` : ''}data: ${JSON.stringify(chunk)}\n\n`,
  )
  if (chunks[0].choices) events.push('data: [DONE]\n\n')
  if (pieces) response.write(events.slice(0, pieces).join(''), () => response.destroy())
  else response.end(stream ? events.join('') : JSON.stringify(answer))
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
