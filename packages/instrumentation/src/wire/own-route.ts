import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { attempt } from '@svc/core/attempt'
import { isModelPath } from './model-path.ts'

/** What keeps a request until its response. */
interface Sent {
  drop(): void
}

/** Returns the connection of a request, once it has one. */
export type ConnectionOf = () => Socket | null | undefined

/** Requests without a response. */
const waiting = new Map<Sent, ConnectionOf>()
let isListening = false

/**
 * Drops a request that arrives at a server of this process. A gateway or a mock has routes like those of an API: what
 * these pass on to a model is the call. They are recognized by the two ends of a connection, because any caller can name
 * any host.
 */
export function ignoreAtOwnRoute(sent: Sent, socketOf: ConnectionOf): void {
  waiting.set(sent, socketOf)
  if (isListening) return
  isListening = true
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { readonly request: IncomingMessage }
    attempt('look at a request', arrived, request.url, request.socket)
  })
  subscribe('http2.server.stream.start', (message) => {
    const { stream, headers } = message as { readonly stream: ServerHttp2Stream; readonly headers: IncomingHttpHeaders }
    attempt('look at a request', arrived, headers[':path'], stream.session?.socket)
  })
}

/** Called with the first sign of a response: from then on the request was another server's. */
export function answered(sent: Sent): void {
  waiting.delete(sent)
}

function arrived(path: string | undefined, socket: Socket | undefined): void {
  if (!socket || !isModelPath(path)) return
  for (const [sent, socketOf] of waiting) if (areEnds(socketOf(), socket)) sent.drop()
}

/** Whether two sockets are the ends of one connection. */
function areEnds(ours: ReturnType<ConnectionOf>, theirs: Socket): boolean {
  return (
    ours?.localPort !== undefined &&
    ours.localPort === theirs.remotePort &&
    ours.remotePort === theirs.localPort &&
    asIPv4(ours.localAddress) === asIPv4(theirs.remoteAddress)
  )
}

/** A server that listens on IPv6 sees addresses of IPv4 in its own form. */
function asIPv4(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:/, '')
}
