import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ArgumentsHost } from '@nestjs/common'
import { type Attributes, type Context, context } from '@opentelemetry/api'
import { GENERAL } from '@svc/core/attributes'
import { withoutSvcBaggage } from '@svc/core/baggage'
import { httpOutcome, messageOutcome, type Outcome } from '../scope/outcome.ts'
import { Scope } from '../scope/scope.ts'
import type { Subject, SvcSettings } from '../settings.ts'
import { httpHost } from './http-host.ts'

/** A request of Express (which adds to Node's) or of Fastify (which holds Node's). */
export type AnyRequest = IncomingMessage & { readonly raw?: IncomingMessage }

// By Node's own request, which is all that middleware of Fastify sees.
const requests = new WeakMap<object, HttpRequest>()

/** One HTTP request from our middleware until its response was sent or abandoned. */
export class HttpRequest {
  readonly scope: Scope
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  #subject: Subject
  #error: unknown
  #midway = false
  #query: Outcome | undefined

  constructor(request: IncomingMessage, response: ServerResponse, settings: SvcSettings) {
    this.#request = request
    this.#response = response
    this.#subject = { request, host: httpHost(request, response) }
    this.scope = new Scope(
      trusted(context.active(), settings),
      `${request.method} ${pathOf(request)}`,
      settings.resolversFor(() => this.#subject),
    )
    requests.set(request, this)
    response.once('close', this.#end)
  }

  /** The request as resolvers shall see it from now on: the framework's own, on which guards write. */
  seenAs(request: unknown, host: ArgumentsHost): void {
    this.#subject = { request, host }
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
  readonly #end = (): void => {
    if (!this.scope.root) {
      this.scope.close()
      return
    }
    const response = this.#response
    const complete = 'writableFinished' in response ? response.writableFinished : true
    const status = response.headersSent ? response.statusCode : undefined
    const ended = { status, complete, error: this.#error, midway: this.#midway }
    const outcome = complete && this.#query ? this.#query : httpOutcome(ended)
    const route = routeOf(this.#subject.request)
    if (route !== undefined) this.scope.call(`${this.#request.method} ${route}`)
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
  return requests.get(typeof raw === 'object' && raw !== null ? raw : request)
}

/** What came in with a request or message, as far as it counts. */
export function trusted(context: Context, { trustBaggage }: SvcSettings): Context {
  return trustBaggage ? context : withoutSvcBaggage(context)
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
