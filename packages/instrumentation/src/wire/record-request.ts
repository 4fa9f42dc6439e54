import type { ClientRequest } from 'node:http'
import { context } from '@opentelemetry/api'
import { withWorkForCache } from '@svc/core/next-work'
import { providerAt } from '../gen-ai/server.ts'
import { isBelowCall } from '../record/current.ts'
import { followBelow } from './answer-below.ts'
import { findApi } from './apis.ts'
import { WireExchange } from './exchange.ts'
import { both, type WireFollower } from './follower.ts'
import { keepAnswer, withAnswer } from './keep-answer.ts'
import { isChannelPath } from './model-path.ts'
import { followHttp } from './node-http.ts'
import { followHttp2, type Http2Request } from './node-http2.ts'
import { isServedHere } from './own-route.ts'
import { followUndici, headerIn, type UndiciRequest } from './undici.ts'
import { type Channel, libraryAt, reportChannel } from './unseen-channel.ts'

/** Which requests to models are recorded. */
export interface WireRules {
  /** Names of the instrumentations that run. */
  readonly libraries: readonly string[]
  /** Whether only hosts are looked at that are known to serve models. */
  readonly knownHostsOnly: boolean
  /** Hosts that are left out, with all below them. */
  readonly blockedHosts: readonly string[]
  /** Whether answers are kept as they came, also of requests below a recorded call. */
  readonly raw: boolean
  /** Whether generations of frameworks have what the answers to their requests say. */
  readonly below: boolean
}

/** How a request is sent: `web` is `fetch` where the runtime publishes nothing of it. */
export type WireKind = 'fetch' | 'http' | 'http2' | 'web'

/** Records a request. Returns whether it did. */
export type RecordRequest = (kind: WireKind, request: never) => boolean

/**
 * Records a request that is about to be sent, if it asks a model. Below a call that is recorded already it is part of that.
 *
 * @returns whether it is recorded
 */
export function recordRequest(kind: WireKind, request: never, rules: WireRules): boolean {
  const active = context.active()
  const { origin, path, header, follow, method, upgrade } = REQUESTS[kind](request)
  const channel = isChannelPath(path) ? channelOf(upgrade, header) : undefined
  if (channel && rules.libraries.includes(libraryAt(path)) && isWanted(origin, rules)) {
    reportChannel(channel, origin, path)
  }
  // A WebSocket is opened by GET, and no model is asked by it.
  if (channel || method === 'GET') return false
  const [pathname = '', query] = path.split('?', 2)
  const api = findApi(pathname)
  if (!api) return false
  // Before the host is read: most requests to models are those of recorded calls.
  if (isBelowCall(active, api.reader.name)) {
    const answer = rules.raw ? keepAnswer(active, api.reader.name) : undefined
    const below = rules.below && isWanted(origin, rules) ? followBelow(active, api, pathname) : undefined
    const follower = answer && below ? both(answer, below) : (answer ?? below)
    if (follower) follow(follower)
    return false
  }
  if (!rules.libraries.includes(api.library) || !isWanted(origin, rules)) return false
  // What a route of one's own passes on to a model is the call. Others are told when they arrive.
  if (kind === 'web' && isServedHere(origin)) return false
  const isKnownHost = providerAt(new URL(origin).hostname) !== undefined
  const secrets = secretsIn(header, query)
  const own = { context: withWorkForCache(active), secrets }
  const exchange = new WireExchange({ api, origin, path: pathname, isKnownHost, ...own })
  follow(rules.raw ? withAnswer(exchange) : exchange)
  return true
}

function isWanted(origin: string, { knownHostsOnly, blockedHosts }: WireRules): boolean {
  if (!URL.canParse(origin)) return false
  const { hostname } = new URL(origin)
  if (knownHostsOnly && providerAt(hostname) === undefined) return false
  return !blockedHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
}

function channelOf(upgrade: unknown, header: WebRequest['header']): Channel | undefined {
  if (String(upgrade).toLowerCase() === 'websocket') return 'a WebSocket'
  return String(header('content-type')).startsWith('application/grpc') ? 'gRPC' : undefined
}

/** A request that is about to be sent. */
export interface WebRequest {
  /** Scheme, host and port. */
  readonly origin: string
  /** With its query. */
  readonly path: string
  header(name: string): unknown
  /** Default: `POST`. */
  readonly method?: unknown
  /** The protocol that the connection is to change to. */
  readonly upgrade?: unknown
  /** Called with what is to be told of the request and its response. */
  follow(follower: WireFollower): void
}

const REQUESTS: Readonly<Record<WireKind, (request: never) => WebRequest>> = {
  fetch(request: UndiciRequest) {
    const { method, path, upgrade, origin, headers } = request
    const header = (name: string) => headerIn(headers, name)
    return {
      method,
      path,
      upgrade,
      origin: String(origin),
      header,
      follow: (follower) => followUndici(request, follower),
    }
  },
  http(request: ClientRequest) {
    const origin = `${request.protocol}//${request.getHeader('host') ?? request.host}`
    const header = (name: string) => request.getHeader(name)
    const { method, path } = request
    return {
      method,
      path,
      upgrade: header('upgrade'),
      origin,
      header,
      follow: (follower) => followHttp(request, follower),
    }
  },
  http2(request: Http2Request) {
    const { path, headers } = request
    const origin = `${headers[':scheme']}://${headers[':authority']}`
    const header = (name: string) => headerIn(headers, name)
    return { origin, path, header, follow: (follower) => followHttp2(request, follower) }
  },
  web: (request: WebRequest) => request,
}

const KEY_HEADERS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key']

function secretsIn(header: WebRequest['header'], query: string | undefined): string[] {
  const keys = KEY_HEADERS.map((name) => String(header(name) ?? '').replace(/^\S+ /, ''))
  return [...keys, new URLSearchParams(query).get('key') ?? ''].filter((key) => key.length > 0)
}
