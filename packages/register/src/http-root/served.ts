import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Context } from '@opentelemetry/api'
import type { RequestRoot } from '@svc/core/muted-span'

/** A request that is being served, over HTTP/1.1 or HTTP/2. */
export interface Served {
  readonly method: string
  /** The complete path, without the query. */
  readonly path: string
  /** The route that the framework has set on the request, if any. */
  readonly route: string | undefined
  /** The response status; undefined if the client disconnected before. */
  readonly status: number | undefined
}

/** Creates the value for the whole request; `parent` is the context extracted from its headers. */
export type OpenRequest = (served: Served, parent: Context, traceId: string) => OpenedRequest | undefined

export interface OpenedRequest extends RequestRoot {
  /** The response is done, or never will be. */
  done(): void
}

/** HTTP/1.1. Express leaves the route on the request; for other frameworks see `route-hooks.ts`. */
export class ServedRequest implements Served {
  readonly #request: ExpressRequest
  readonly #response: ServerResponse

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request
    this.#response = response
  }

  get method(): string {
    return this.#request.method ?? ''
  }

  get path(): string {
    // Express rewrites `url` inside routers and keeps the complete one in `originalUrl`.
    const { originalUrl, url } = this.#request
    return pathOf(typeof originalUrl === 'string' ? originalUrl : url)
  }

  get route(): string | undefined {
    const { route, baseUrl } = this.#request
    if (typeof route?.path !== 'string') return undefined
    return (typeof baseUrl === 'string' ? baseUrl : '') + route.path
  }

  get status(): number | undefined {
    return this.#response.headersSent ? this.#response.statusCode : undefined
  }
}

interface ExpressRequest extends IncomingMessage {
  readonly originalUrl?: unknown
  readonly route?: { readonly path?: unknown }
  readonly baseUrl?: unknown
}

/** HTTP/2. */
export class ServedStream implements Served {
  readonly route = undefined
  readonly #stream: ServerHttp2Stream
  readonly #headers: IncomingHttpHeaders

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders) {
    this.#stream = stream
    this.#headers = headers
  }

  get method(): string {
    return String(this.#headers[':method'] ?? '')
  }

  get path(): string {
    return pathOf(this.#headers[':path'] as string | undefined)
  }

  get status(): number | undefined {
    return this.#stream.headersSent ? Number(this.#stream.sentHeaders[':status']) : undefined
  }
}

function pathOf(url = '/'): string {
  const end = url.indexOf('?')
  return (end < 0 ? url : url.slice(0, end)) || '/'
}
