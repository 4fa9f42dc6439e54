import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ArgumentsHost } from '@nestjs/common'
import { type Attributes, type Context, context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { GENERAL } from '@svc/core/attributes'
import { withoutSvcBaggage } from '@svc/core/baggage'
import { httpOutcome, messageOutcome, type Outcome } from '../scope/outcome.ts'
import type { Subject } from '../scope/resolution.ts'
import { Scope } from '../scope/scope.ts'
import type { SvcSettings } from '../settings.ts'
import { httpHost } from './http-host.ts'

/** A request of Express (which adds to Node's) or of Fastify (which holds Node's). */
export type AnyRequest = IncomingMessage & { readonly raw?: IncomingMessage }

// On Node's own request, which is all that middleware of Fastify sees. A WeakMap of requests would cost more than all
// the rest, because each garbage collection looks through it.
const KNOWN = Symbol('request of svc')

/** One HTTP request from our middleware until its response was sent or abandoned. */
export class HttpRequest implements Subject {
  readonly scope: Scope
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  #seen: unknown
  #host: ArgumentsHost | undefined
  #error: unknown
  #midway = false
  #query: Outcome | undefined

  constructor(request: IncomingMessage, response: ServerResponse, settings: SvcSettings) {
    this.#request = request
    this.#response = response
    this.#seen = request
    this.scope = new Scope(
      trusted(context.active(), settings),
      () => `${request.method} ${pathOf(request)}`,
      settings.resolvers,
      this,
    )
    ;(request as { [KNOWN]?: HttpRequest })[KNOWN] = this
    response.on('close', () => attempt('end a request', () => this.#end()))
  }

  /** As resolvers shall see it: the framework's own, on which guards write, as soon as it is there. */
  get request(): unknown {
    return this.#seen
  }

  get host(): ArgumentsHost {
    this.#host ??= httpHost(this.#seen, this.#response)
    return this.#host
  }

  /** Sets the request and the host of the framework. */
  setRequest(request: unknown, host: ArgumentsHost): void {
    this.#seen = request
    this.#host = host
  }

  threw(error: unknown): void {
    this.scope.threw(error)
    this.#error ??= error
    this.#midway ||= this.#response.headersSent
  }

  /** A resolver of GraphQL failed: the response is a success all the same. */
  queryThrew(error: unknown): void {
    this.scope.threw(error)
    const outcome = messageOutcome(error)
    if (this.#query?.level !== 'ERROR') this.#query = outcome
  }

  // All of it was sent, or the client is gone: what listens to `finish` is over by then.
  #end(): void {
    if (!this.scope.root) {
      this.scope.close()
      return
    }
    const response = this.#response
    const complete = 'writableFinished' in response ? response.writableFinished : true
    const status = response.headersSent ? response.statusCode : undefined
    const ended = { status, complete, error: this.#error, midway: this.#midway }
    const outcome = complete && this.#query ? this.#query : httpOutcome(ended)
    const route = this.scope.isHandled ? routeOf(this.#seen) : addressOf(this.#seen, status)
    if (route !== undefined) this.scope.rename(`${this.#request.method} ${route}`)
    this.scope.close(outcome, this.#attributes(status, route))
  }

  #attributes(status: number | undefined, route: string | undefined): Attributes {
    return {
      [GENERAL.HTTP_REQUEST_METHOD]: this.#request.method ?? '',
      ...(route === undefined ? {} : { [GENERAL.HTTP_ROUTE]: route }),
      ...(status === undefined ? {} : { [GENERAL.HTTP_RESPONSE_STATUS_CODE]: status }),
    }
  }
}

/** What is known of a request that passed our middleware. */
export function requestOf(request: unknown): HttpRequest | undefined {
  if (typeof request !== 'object' || request === null) return undefined
  const { raw } = request as { raw?: unknown }
  const bare = typeof raw === 'object' && raw !== null ? raw : request
  return (bare as { [KNOWN]?: HttpRequest })[KNOWN]
}

/** What came in with a request or message, as far as it counts. */
export function trusted(context: Context, { trustBaggage }: SvcSettings): Context {
  return trustBaggage ? context : withoutSvcBaggage(context)
}

/** The route of what no handler took: middleware has routes, too, which match anything. */
function addressOf(request: unknown, status: number | undefined): string | undefined {
  const route = routeOf(request)
  return status === 404 || route?.includes('*') ? undefined : route
}

function pathOf(request: IncomingMessage): string {
  const { originalUrl } = request as { originalUrl?: unknown }
  const url = typeof originalUrl === 'string' ? originalUrl : (request.url ?? '/')
  return url.split('?', 1)[0] || '/'
}

/** The matched route: Express leaves it on the request, Fastify in its options. */
function routeOf(request: unknown): string | undefined {
  const { route, baseUrl, routeOptions } = request as Record<string, { path?: unknown; url?: unknown } | undefined>
  if (typeof route?.path === 'string') return (typeof baseUrl === 'string' ? baseUrl : '') + route.path
  return typeof routeOptions?.url === 'string' ? routeOptions.url : undefined
}
