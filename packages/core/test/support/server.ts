import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'

/** One request as it arrived. */
export interface Arrived {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The client's port: the same one for requests over one connection. */
  readonly port: number | undefined
}

export type Reply = (response: ServerResponse, arrived: Arrived) => void

/** A real HTTP server on loopback. */
export interface Server {
  readonly port: number
  readonly url: string
  readonly requests: readonly Arrived[]
  /** Bodies of all requests, in order of arrival. */
  readonly bodies: readonly string[]
  /** Resolves when `count` requests have arrived. */
  arrived(count: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const ok: Reply = (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('hello')

export async function startServer(reply: Reply = ok, tls?: ServerOptions): Promise<Server> {
  const requests: Arrived[] = []
  const waiting = new Set<() => void>()
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const arrived = await arrival(request)
    requests.push(arrived)
    reply(response, arrived)
    for (const check of waiting) check()
  }
  const server = tls ? createTlsServer(tls, onRequest) : createServer(onRequest)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    get bodies() {
      return requests.map(({ body }) => body)
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
  const { method = '', url: path = '', headers, socket } = request
  return { method, path, headers, body: Buffer.concat(chunks).toString(), port: socket.remotePort }
}
