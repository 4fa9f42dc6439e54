import { once } from 'node:events'
import { createServer } from 'node:http'
import { chat } from './chat.js'
import { completions } from './completions.js'
import { embeddings } from './embeddings.js'
import { createFailures } from './failures.js'
import { Refusal, readJson, sendJson, sendRefusal, sendStream } from './http.js'
import { models } from './models.js'
import { responses } from './responses.js'

const ROUTES = {
  'POST /v1/chat/completions': chat,
  'POST /v1/responses': responses,
  'POST /v1/embeddings': embeddings,
  'POST /v1/completions': completions,
  'GET /v1/models': models,
}

const REQUESTS_KEPT = 1_000

/**
 * Starts an OpenAI-compatible server on loopback.
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
    try {
      const path = new URL(req.url, 'http://localhost').pathname
      const body = req.method === 'POST' ? await readJson(req) : undefined
      requests.push({ method: req.method, path, headers: req.headers, body })
      if (requests.length > REQUESTS_KEPT) requests.shift()
      await answer(req, res, path, body)
    } catch (error) {
      sendRefusal(res, error)
    }
  })

  async function answer(req, res, path, body) {
    const route = `${req.method} ${path.replace(/^\/openai(\/deployments\/[^/]+|\/v1)/, '/v1')}`
    const handler = ROUTES[route]
    if (!handler) throw new Refusal(404, `Invalid URL (${route})`)
    const model = body?.model
    if (body && typeof model !== 'string') throw new Refusal(400, 'you must provide a model parameter')

    const failure = failureFor(model)
    if (failure.refusal) throw failure.refusal
    if (failure.silent) return
    const result = handler(body ?? {}, ++serial)
    if (result.events) await sendStream(res, result.events, { pause, ...failure })
    else sendJson(res, 200, result.json, failure)
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
