import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Attributes, Link } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import type { RequestRoot } from '@svc/core/muted-span'
import { isRoute } from '@svc/core/request-route'

/** What the root of an invocation of a function says of it. */
export interface InvocationDescription {
  readonly name: string
  readonly attributes: Attributes
  readonly links: Link[]
  /** Why it failed. */
  readonly error: string | undefined
}

/** What a root says of its request. */
export interface RequestDescription {
  readonly method: string
  /** The complete path, without the query. */
  readonly path: string
  readonly route: string | undefined
  /** The response status; undefined if the client disconnected before. */
  readonly status: number | undefined
}

/**
 * Describes a request that is being served, as it is now.
 *
 * @param route the route that an instrumentation has reported. Default: what the framework has set on the request
 */
export type Describe = (route: string | undefined) => RequestDescription | InvocationDescription

/** The value for the whole request. */
export interface OpenedRequest extends RequestRoot {
  /** The response is done, or never will be. */
  done(): void
}

/** HTTP/1.1. Express and Next leave the route on the request; for other frameworks see `route-hooks.ts`. */
export function describesRequest(request: RoutedRequest, response: ServerResponse) {
  return (route: string | undefined): RequestDescription => ({
    method: request.method ?? '',
    path: fullPath(request),
    route: route ?? attempt('read a route', routeOf, request),
    status: response.headersSent ? response.statusCode : undefined,
  })
}

/** What Next knows of a request. The key is not public, but the same from 15.5 to 16.4. */
const NEXT = Symbol.for('NextInternalRequestMeta')

interface RoutedRequest extends IncomingMessage {
  readonly originalUrl?: unknown
  readonly route?: { readonly path?: unknown }
  readonly baseUrl?: unknown
  readonly [NEXT]?: { readonly match?: { readonly definition?: { readonly pathname?: unknown } } }
}

function fullPath(request: RoutedRequest): string {
  return pathOf(attempt('read a path', originalUrl, request) ?? request.url)
}

/** Express rewrites `url` inside routers and keeps the complete one here. */
function originalUrl({ originalUrl: url }: RoutedRequest): string | undefined {
  return typeof url === 'string' ? url : undefined
}

function routeOf(request: RoutedRequest): string | undefined {
  const route = expressRoute(request) ?? nextRoute(request)
  return isRoute(route) ? route : undefined
}

function expressRoute(request: RoutedRequest): string | undefined {
  const pattern = patternOf(request.route?.path)
  if (pattern === undefined) return undefined
  const { baseUrl } = request
  return (typeof baseUrl === 'string' && baseUrl !== '' ? baseUrl : baseBefore(pattern, request)) + pattern
}

/** Of several paths all, as in OpenTelemetry's instrumentation: which of them matched is not kept. */
function patternOf(path: unknown): string | undefined {
  if (Array.isArray(path)) return path.map(patternOf).join(',')
  return typeof path === 'string' || path instanceof RegExp ? String(path) : undefined
}

/**
 * The paths of the routers around a route. Express takes them back from the request when an error leaves a router: what a
 * pattern without optional parts does not match of the path is theirs.
 */
function baseBefore(pattern: string, request: RoutedRequest): string {
  const path = fullPath(request)
  const more = segmentsIn(path) - segmentsIn(pattern)
  if (more <= 0 || /[^\w:.~/-]/.test(pattern)) return ''
  const before = path.split('/').filter(Boolean).slice(0, more)
  return `/${before.join('/')}`
}

/** How many parts of a path have text. No array is made: this runs for each request. */
function segmentsIn(path: string): number {
  let count = 0
  for (let at = 0; at < path.length; at++) {
    if (path[at] !== '/' && (at === 0 || path[at - 1] === '/')) count++
  }
  return count
}

function nextRoute({ [NEXT]: known }: RoutedRequest): string | undefined {
  const route = known?.match?.definition?.pathname
  return typeof route === 'string' ? route : undefined
}

/** HTTP/2. */
export function describesStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Describe {
  return (route) => ({
    method: String(headers[':method'] ?? ''),
    path: pathOf(headers[':path'] as string | undefined),
    route,
    status: stream.headersSent ? Number(stream.sentHeaders[':status']) : undefined,
  })
}

function pathOf(url = '/'): string {
  const end = url.indexOf('?')
  return (end < 0 ? url : url.slice(0, end)) || '/'
}
