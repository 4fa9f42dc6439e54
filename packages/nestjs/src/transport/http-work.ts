import type { ExecutionContext } from '@nestjs/common'
import { boundedText } from '@svc/core/bounded-json'
import type { SvcSettings } from '../settings.ts'
import { captureOf } from './capture.ts'
import { setHandled } from './handled.ts'
import { type HttpRequest, requestOf } from './http-request.ts'
import { Output } from './output.ts'
import { isQuery, Query } from './query.ts'
import { inputOf, isMultipart } from './request-input.ts'
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
  known.setRequest(request, host)
  return setHandled(known.scope, host, query?.name) ? known : undefined
}

/** What an HTTP request's handler does. The root ends with the response, which may go on when the handler is done. */
export function httpWork(host: ExecutionContext, request: HttpRequest, settings: SvcSettings): Work {
  const { scope } = request
  scope.identity.resolveFinal()
  if (isQuery(host)) return queryWork(request)
  const capture = captureOf(host, settings)
  scope.leaveEmpty(capture)
  const output = capture.output ? new Output(scope) : undefined
  let input = capture.input
    ? () => scope.capture('input', () => boundedText(inputOf(host.switchToHttp().getRequest())))
    : undefined
  const recordInput = () => {
    input?.()
    input = undefined
  }
  // The files of a form are read by an interceptor of the handler.
  if (!isMultipart(host.switchToHttp().getRequest())) recordInput()
  const end = () => {
    recordInput()
    output?.end()
  }
  return {
    scope,
    emitted: (value) => (output ? output.add(value) : value),
    threw: (error) => {
      end()
      request.threw(error)
    },
    completed: end,
    left: end,
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
