import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { type SentSpan, spansIn } from './protobuf.ts'

/** One request as it arrived, its body inflated. */
export interface Arrived {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  readonly spans: readonly SentSpan[]
}

export type Reply = (response: ServerResponse, arrived: Arrived, index: number) => void

/** A real HTTP server on loopback in the place of the service. */
export interface Intake {
  readonly url: string
  readonly requests: readonly Arrived[]
  /** All spans of all trace requests, in order of arrival. */
  readonly spans: readonly SentSpan[]
  /** Resolves when `count` requests have arrived. */
  arrived(count: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export const ok: Reply = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')

export async function startIntake(reply: Reply = ok): Promise<Intake> {
  const requests: Arrived[] = []
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    const arrived = await arrival(request)
    requests.push(arrived)
    reply(response, arrived, requests.length - 1)
    for (const check of waiting) check()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get spans() {
      return requests.flatMap((request) => request.spans)
    },
    arrived: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (requests.length < count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function arrival(request: IncomingMessage): Promise<Arrived> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const raw = Buffer.concat(chunks)
  const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
  const { method = '', url: path = '', headers, rawHeaders } = request
  const spans = headers['content-type'] === 'application/x-protobuf' ? spansIn(body) : []
  return { method, path, headers, rawHeaders, body, spans }
}
