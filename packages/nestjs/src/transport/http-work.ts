import type { ExecutionContext } from '@nestjs/common'
import { boundedText } from '@svc/core/bounded-json'
import type { SvcSettings } from '../settings.ts'
import { type Capture, captureOf } from './capture.ts'
import { setHandled } from './handled.ts'
import { type NestRequest, requestOf } from './http-request.ts'
import { HandlerOutput } from './output.ts'
import { isQuery, Query } from './query.ts'
import { inputOf, isMultipart } from './request-input.ts'
import type { Work } from './within.ts'

/** Says what handles the HTTP request that a guard sees. */
export function bindRequest(host: ExecutionContext): void {
  if (isQuery(host)) {
    queryRequest(host)
    return
  }
  const request: unknown = host.switchToHttp().getRequest()
  const known = requestOf(request)
  if (!known) return
  known.setRequest(request, host)
  setHandled(known.scope, host)
}

/** Observes the handler of an HTTP request. Undefined if it is not to be observed, or is observed already. */
export function httpWork(
  host: ExecutionContext,
  known: NestRequest,
  request: unknown,
  settings: SvcSettings,
): Work | undefined {
  const { scope } = known
  known.setRequest(request, host)
  const marks = setHandled(scope, host)
  if (!marks || !scope.enterHandler(host.getHandler())) return undefined
  scope.identity.resolveFinal()
  const capture = captureOf(marks, settings)
  scope.leaveEmpty(capture)
  return capture.input || capture.output ? capturingWork(known, request, capture) : known
}

function capturingWork(known: NestRequest, request: unknown, capture: Capture): Work {
  const { scope } = known
  const output = capture.output ? new HandlerOutput(known) : undefined
  let input = capture.input ? () => scope.capture('input', () => boundedText(inputOf(request))) : undefined
  const recordInput = () => {
    input?.()
    input = undefined
  }
  // The files of a form are read by an interceptor of the handler.
  if (!isMultipart(request)) recordInput()
  const end = () => {
    recordInput()
    output?.end()
  }
  return {
    scope,
    emitted: (value) => (output ? output.add(value) : known.emitted(value)),
    threw: (error) => {
      end()
      known.threw(error)
    },
    completed: end,
    left: end,
  }
}

/**
 * Observes a resolver of a GraphQL operation that came with a request. Others may have more to say, and the
 * response is what they make together. Undefined if it is not observed, or came over a WebSocket.
 */
export function queryWork(host: ExecutionContext): Work | undefined {
  const known = queryRequest(host)
  if (!known) return undefined
  const { scope } = known
  scope.identity.resolveFinal()
  return { scope, threw: (error) => known.queryThrew(error) }
}

/** Returns the request that an operation came with, if it is observed. */
function queryRequest(host: ExecutionContext): NestRequest | undefined {
  const { request, name } = new Query(host)
  const known = requestOf(request)
  known?.setRequest(request, host)
  return known && setHandled(known.scope, host, name) ? known : undefined
}
