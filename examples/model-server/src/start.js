import { once } from 'node:events'
import { createServer } from 'node:http'
import { createFailures } from './failures.js'
import { Refusal, readBody, sendBytes, sendFrames, sendJson, sendLines, sendRefusal, sendStream } from './http.js'
import { routeFor } from './routes.js'

const REQUESTS_KEPT = 1_000

/**
 * Starts a server on loopback that speaks as OpenAI and several others do.
 *
 * @param {{ port?: number, pause?: number | ((chunk: number) => unknown) }} [options] `port` defaults to a free one;
 *   `pause`, waited for before each chunk of a stream but the first: milliseconds, or a function of the chunk's number
 *   whose result is awaited.
 */
export async function startModelServer({ port = 0, pause } = {}) {
  const requests = []
  const failureFor = createFailures()
  let serial = 0

  const server = createServer(async (req, res) => {
    const path = new URL(req.url, 'http://localhost').pathname
    const { handler, asked, refusal } = routeFor(req.method, path)
    try {
      const body = req.method === 'POST' ? await readBody(req) : undefined
      requests.push({ method: req.method, path, headers: req.headers, body })
      if (requests.length > REQUESTS_KEPT) requests.shift()
      await answer(res, handler, body && asked(body))
    } catch (error) {
      sendRefusal(res, error, refusal)
    }
  })
  // Who was busy for a while finds the connection as it was.
  server.keepAliveTimeout = 600_000

  async function answer(res, handler, body) {
    const model = body?.model
    if (body && typeof model !== 'string') throw new Refusal(400, 'you must provide a model parameter')

    const failure = failureFor(model)
    if (failure.refusal) throw failure.refusal
    if (failure.silent) return
    const result = handler(body ?? {}, ++serial)
    if (result.events) await sendStream(res, result.events, { pause, ...failure })
    else if (result.frames) await sendFrames(res, result.frames, { pause, ...failure })
    else if (result.lines) await sendLines(res, result.lines, { pause, ...failure })
    else if (result.bytes ?? result.text) sendBytes(res, result.bytes ?? result.text, result.type)
    else sendJson(res, 200, result.json, { ...failure, more: result.headers })
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests: () => [...requests],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
