import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'

/** What a proxy was asked for. */
export interface ProxyRequest {
  readonly method: string
  /** The whole address for `http:`, `host:port` for a tunnel. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
}

export interface ProxyOptions {
  /** Port of this machine that stands for every host. */
  readonly to: number
  /** What a tunnel is answered with. Default 200. */
  readonly tunnelStatus?: number
  /** For a proxy that is itself reached over TLS. */
  readonly tls?: ServerOptions
}

/** A proxy on loopback: it forwards requests for any host, and tunnels to any host, to one port of this machine. */
export async function startProxy({ to, tunnelStatus = 200, tls }: ProxyOptions) {
  const requests: ProxyRequest[] = []
  const sockets = new Set<Duplex>()
  const server = tls ? createTlsServer(tls) : createServer()
  const record = ({ method = '', url: target = '', headers }: IncomingMessage) =>
    requests.push({ method, target, headers })

  server.on('request', (request, response) => {
    record(request)
    const { pathname, search } = new URL(request.url ?? '')
    const { method = '', headers } = request
    const onward = httpRequest({ host: '127.0.0.1', port: to, method, headers, path: pathname + search })
    onward.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)))
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    record(request)
    follow(socket)
    if (tunnelStatus !== 200) {
      socket.end(`HTTP/1.1 ${tunnelStatus} No\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    const onward = connect(to, '127.0.0.1')
    follow(onward)
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.pipe(onward).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  function follow(socket: Duplex): void {
    sockets.add(socket)
    socket.on('error', () => {})
  }

  return {
    port,
    requests,
    /** Its address, with or without credentials (`user:password`). */
    url: (credentials = '') => `${tls ? 'https' : 'http'}://${credentials && `${credentials}@`}127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
