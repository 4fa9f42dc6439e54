import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

/**
 * A server on loopback in the place of a vendor's.
 *
 * @param answerTo gives the answer to `{ method, path, headers, body }`: `{ status?, headers?, body? }` is JSON,
 *   `{ text, type? }` what it says, `{ events }` a stream of server-sent events, each of them lines or a value for `data`;
 *   or `{ frames, type }` one of bytes; with `stalls` the stream never ends, with `breaks` its connection does, and undefined is no answer,
 *   ever
 */
export async function standIn(answerTo) {
  const requests = []
  const server = createServer(async (request, response) => {
    const text = (await buffer(request)).toString()
    const { pathname: path, search } = new URL(request.url, 'http://localhost')
    const body = /json/.test(request.headers['content-type'] ?? '') ? JSON.parse(text || 'null') : text
    const received = { method: request.method, path, search, headers: request.headers, body }
    const answer = answerTo(received)
    // Whether an application that gives up has sent its request by then depends on the machine.
    if (answer) requests.push(received)
    if (answer) send(response, answer)
  })
  // Who was busy for a while finds the connection as it was.
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const { port } = server.address()
  return {
    url: `http://127.0.0.1:${port}`,
    /** What was asked since the last time, without what belongs to the connection. */
    takeRequests: () =>
      requests.splice(0).map(({ headers: { host: _, connection: __, ...headers }, ...rest }) => ({ ...rest, headers })),
    close: () => server.close(),
  }
}

function send(
  response,
  { status = 200, headers = {}, body, text, type = 'text/plain', events, frames, stalls, breaks },
) {
  const pieces =
    frames ?? events?.map((event) => `${typeof event === 'string' ? event : `data: ${JSON.stringify(event)}`}\n\n`)
  if (pieces) {
    response.writeHead(status, { 'content-type': frames ? type : 'text/event-stream', ...headers })
    for (const piece of pieces) response.write(piece)
    if (breaks) response.write('', () => response.destroy())
    else if (!stalls) response.end()
    return
  }
  response.writeHead(status, { 'content-type': text === undefined ? 'application/json' : type, ...headers })
  response.end(text ?? JSON.stringify(body))
}
