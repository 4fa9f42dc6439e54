import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { ClientHttp2Stream, IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { Context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { isLoopback } from '@svc/core/proxy'
import { asRecord } from '../gen-ai/read.ts'
import { isModelPath } from './model-path.ts'

/** What waits for the response of a request. */
interface Sent {
  /** Of a recorded call: the context in which that makes the request. */
  readonly context?: Context
  readonly port?: number
  /** Called where the request arrives at a server of this process. */
  drop?(): void
}

/** Returns the connection of a request, once it has one. */
export type ConnectionOf = () => Socket | null | undefined

/** Requests without a response. Not every one that is given up is published. */
const waiting = new Map<Sent, ConnectionOf>()
const LIMIT = 10_000
let isListening = false
let isFollowing = false

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

/** Requests of recorded calls, until they are answered. */
const ofCalls = new WeakMap<object, Sent>()

/** Ports at which this process has served a request, or listens. */
const served = new Set<number>()

/** Called with the port of a server of this process, where a runtime shows no connections. */
export function servesAt(port: unknown): void {
  if (typeof port === 'number') served.add(port)
}

/** Whether an address is that of a server of this process, as far as {@link servesAt} was told. */
export function isServedHere(origin: string): boolean {
  return isLoopback(new URL(origin).hostname) && served.has(portOf({ origin }))
}

/** Ports at which somebody else has answered one. */
const elsewhere = new Set<number>()

/** A request as Node publishes it: that of undici, which has an origin, a `ClientRequest`, or the stream of HTTP/2. */
interface PublishedRequest extends Partial<Pick<ClientRequest, 'socket' | 'protocol' | 'getHeader'>> {
  readonly origin?: unknown
  readonly stream?: ClientHttp2Stream
  readonly headers?: unknown
}

/**
 * Has {@link callerOf} find a request that is about to be sent.
 *
 * @param context of the call that it is part of
 */
export function followToOwnRoute(request: PublishedRequest, context: Context): void {
  const port = portOf(request)
  // Following costs more than the rest of what is done for a request, and most servers ask others alone.
  if (elsewhere.has(port) && !served.has(port)) return
  if (!isFollowing) followRequests()
  const { stream = request } = request
  const sent = { context, port }
  ofCalls.set(stream, sent)
  // The connection of undici's comes with its headers.
  waiting.set(sent, () => ('session' in stream ? stream.session?.socket : stream.socket))
  if (waiting.size > LIMIT) answered(waiting.keys().next().value as Sent)
}

/** Returns the context of the call whose request arrives at a server of this process; undefined for all other requests. */
export function callerOf(path: string | undefined, socket: Socket | undefined): Context | undefined {
  if (socket?.localPort !== undefined) served.add(socket.localPort)
  if (waiting.size === 0 || !socket || !isModelPath(path)) return undefined
  for (const [{ context }, socketOf] of waiting) if (context && areEnds(socketOf(), socket)) return context
  return undefined
}

function portOf(request: PublishedRequest): number {
  const address = String(request.origin ?? addressOf(request))
  const port = Number(address.slice(address.lastIndexOf(':') + 1))
  return port || (address.startsWith('https:') ? 443 : 80)
}

function addressOf(request: PublishedRequest): string {
  const { ':scheme': scheme, ':authority': authority } = asRecord(request.headers)
  return request.protocol ? `${request.protocol}//${request.getHeader?.('host')}` : `${scheme}://${authority}`
}

/** Once, with the first of them: until then nobody listens. */
function followRequests(): void {
  isFollowing = true
  subscribe('undici:client:sendHeaders', (message) => {
    const { request, socket } = message as { readonly request: object; readonly socket: Socket }
    const sent = ofCalls.get(request)
    if (sent) waiting.set(sent, () => socket)
  })
  for (const channel of ENDS) {
    subscribe(channel, (message) => {
      const { request, stream = request } = message as { readonly request: object; readonly stream?: object }
      const sent = ofCalls.get(stream)
      if (!sent) return
      answered(sent)
      if (sent.port !== undefined && !channel.endsWith('error')) elsewhere.add(sent.port)
    })
  }
}

/** Where Node publishes that a request was answered, or never will be. */
const ENDS = [
  'undici:request:headers',
  'undici:request:error',
  'http.client.response.finish',
  'http.client.request.error',
  'http2.client.stream.finish',
  'http2.client.stream.error',
]

/** Called with the first sign of a response: from then on the request was another server's. */
export function answered(sent: Sent): void {
  waiting.delete(sent)
}

function arrived(path: string | undefined, socket: Socket | undefined): void {
  if (!socket || !isModelPath(path)) return
  for (const [sent, socketOf] of waiting) if (areEnds(socketOf(), socket)) sent.drop?.()
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
