import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ArgumentsHost } from '@nestjs/common'
import type { Attributes, Context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { GENERAL } from '@svc/core/attributes'
import { withTrustedBaggage } from '@svc/core/trust'
import { httpOutcome, messageOutcome, type Outcome } from '../scope/outcome.ts'
import type { Subject } from '../scope/resolution.ts'
import { Scope } from '../scope/scope.ts'
import type { SvcSettings } from '../settings.ts'
import { httpHost } from './http-host.ts'
import { followBody } from './output.ts'
import type { Work } from './within.ts'

/** A request of Express (which adds to Node's) or of Fastify (which holds Node's). */
export type AnyRequest = IncomingMessage & { readonly raw?: IncomingMessage }

// On Node's own request, which is all that middleware of Fastify sees. A WeakMap of requests would cost more than all
// the rest, because each garbage collection looks through it.
const KNOWN = Symbol('request of svc')

/**
 * One HTTP request from our middleware until its response was sent or abandoned. Also the work of a handler of which
 * nothing but errors is recorded: the root ends with the response, which may go on when the handler is done.
 */
export class NestRequest implements Subject, Work {
  readonly scope: Scope
  /** As resolvers shall see it: the framework's own, on which guards write, as soon as it is there. */
  request: unknown
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  #host: ArgumentsHost | undefined
  #error: unknown
  #midway = false
  #isSent = false
  #query: Outcome | undefined

  constructor(request: IncomingMessage, response: ServerResponse, settings: SvcSettings, outer: Context) {
    this.#request = request
    this.#response = response
    this.request = request
    this.scope = new Scope(
      withTrustedBaggage(outer, settings.trustBaggage, callerOf(request)),
      () => `${request.method} ${pathOf(request)}`,
      settings.resolvers,
      this,
    )
    ;(request as { [KNOWN]?: NestRequest })[KNOWN] = this
    const end = () => attempt('end a request', NestRequest.#end, this)
    // Adapters of functions have responses that no socket closes. With one, `close` comes first, and in both cases what
    // listens to `finish` is over by then.
    const sent = () => {
      this.#isSent = true
      process.nextTick(end)
    }
    response.on('close', end).on('finish', sent).on('end', sent)
  }

  get host(): ArgumentsHost {
    this.#host ??= httpHost(this.request, this.#response)
    return this.#host
  }

  /** Sets the request and the host of the framework. */
  setRequest(request: unknown, host: ArgumentsHost): void {
    this.request = request
    this.#host = host
  }

  /** A body in pieces may fail when the handler is done. */
  emitted(value: unknown): unknown {
    return followBody(value, this, false) ?? value
  }

  threw(error: unknown): void {
    // What fails because the client has left.
    if (this.scope.ended) return
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

  // All of it was sent, or the client is gone.
  static #end(ended: NestRequest): void {
    const { scope, request } = ended
    if (scope.ended) return
    if (!scope.span) {
      scope.end()
      return
    }
    const response = ended.#response
    const { method = '' } = ended.#request
    const complete = (ended.#isSent || (response.writableFinished ?? true)) && !isCancelled(response)
    const status = response.headersSent ? response.statusCode : undefined
    const end = { status, complete, error: ended.#error, midway: ended.#midway }
    const outcome = complete && ended.#query ? ended.#query : httpOutcome(end)
    const route = scope.isHandled ? routeOf(request) : addressOf(request, status)
    const attributes: Attributes = { [GENERAL.HTTP_REQUEST_METHOD]: method }
    if (status !== undefined) attributes[GENERAL.HTTP_RESPONSE_STATUS_CODE] = status
    if (route !== undefined) {
      attributes[GENERAL.HTTP_ROUTE] = route
      scope.rename(`${method} ${route}`)
    }
    scope.end(outcome, attributes)
  }
}

/** Returns the record of a request that passed our middleware. */
export function requestOf(request: unknown): NestRequest | undefined {
  if (typeof request !== 'object' || request === null) return undefined
  const { raw } = request as { raw?: unknown }
  const bare = typeof raw === 'object' && raw !== null ? raw : request
  return (bare as { [KNOWN]?: NestRequest })[KNOWN]
}

/** HTTP/2 emits `finish` for whatever has come to its end. */
function isCancelled({ writableEnded, stream }: ServerResponse & { readonly stream?: { readonly rstCode?: unknown } }) {
  return writableEnded === false || Boolean(stream?.rstCode)
}

/** Returns the address of the caller: a stand-in for a request (`inject` of Fastify) may have none. */
function callerOf(request: IncomingMessage): string | undefined {
  return (request.socket as IncomingMessage['socket'] | undefined)?.remoteAddress
}

/** Returns the route of a request that no handler took: middleware has routes, too, which match anything. */
function addressOf(request: unknown, status: number | undefined): string | undefined {
  const route = routeOf(request)
  return status === 404 || route?.includes('*') ? undefined : route
}

function pathOf(request: IncomingMessage): string {
  const { originalUrl } = request as { originalUrl?: unknown }
  const url = typeof originalUrl === 'string' ? originalUrl : (request.url ?? '/')
  return url.split('?', 1)[0] || '/'
}

/** Returns the matched route: Express leaves it on the request, Fastify in its options. */
function routeOf(request: unknown): string | undefined {
  const { route, baseUrl, routeOptions } = request as Record<string, { path?: unknown; url?: unknown } | undefined>
  if (typeof route?.path === 'string') return (typeof baseUrl === 'string' ? baseUrl : '') + route.path
  return typeof routeOptions?.url === 'string' ? routeOptions.url : undefined
}
