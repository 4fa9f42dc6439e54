import type { ExecutionContext } from '@nestjs/common'
import type { SvcSettings } from '../settings.ts'
import { handled } from './handled.ts'
import { type HttpRequest, requestOf } from './http-request.ts'
import { Output } from './output.ts'
import { isQuery, Query } from './query.ts'
import type { Work } from './within.ts'

/**
 * Says what handles the HTTP request that a guard or an interceptor sees.
 *
 * @returns the request, if it is to be observed
 */
export function requestIn(host: ExecutionContext): HttpRequest | undefined {
  const query = isQuery(host) ? new Query(host) : undefined
  const request: unknown = query ? query.request : host.switchToHttp().getRequest()
  const known = requestOf(request)
  if (!known) return undefined
  known.seenAs(request, host)
  return handled(known.scope, host, query?.name) ? known : undefined
}

/** What an HTTP request's handler does. The root ends with the response, which may go on when the handler is done. */
export function httpWork(host: ExecutionContext, request: HttpRequest, settings: SvcSettings): Work {
  const { scope } = request
  scope.caller.settle()
  if (isQuery(host)) return queryWork(request)
  if (settings.captureInput) scope.update({ input: inputOf(host) })
  const output = settings.captureOutput ? new Output(scope) : undefined
  return {
    scope,
    emitted: (value) => (output ? output.add(value) : value),
    threw: (error) => {
      output?.end()
      request.threw(error)
    },
    completed: () => output?.end(),
    left: () => output?.end(),
  }
}

/** One of the resolvers of an operation: others may have more to say, and the response is what they make together. */
function queryWork(request: HttpRequest): Work {
  const nothing = () => {}
  return {
    scope: request.scope,
    emitted: (value) => value,
    threw: (error) => request.queryThrew(error),
    completed: nothing,
    left: nothing,
  }
}

/** The body, and where there is none, what stands in the address. */
function inputOf(host: ExecutionContext): unknown {
  const { body, query, params } = host.switchToHttp().getRequest<Record<string, unknown>>()
  if (body !== undefined && body !== null) return body
  const address = { ...(query as object | undefined), ...(params as object | undefined) }
  return Object.keys(address).length > 0 ? address : undefined
}
