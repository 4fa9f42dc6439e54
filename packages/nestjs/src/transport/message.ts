import type { ExecutionContext } from '@nestjs/common'
import { type Context, context, propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import { boundedText } from '@svc/core/bounded-json'
import { messageOutcome } from '../scope/outcome.ts'
import { Scope } from '../scope/scope.ts'
import type { SvcSettings } from '../settings.ts'
import { captureOf } from './capture.ts'
import { setHandled } from './handled.ts'
import { trusted } from './http-request.ts'
import { Output } from './output.ts'
import { isQuery, Query } from './query.ts'
import type { Work } from './within.ts'

/**
 * A message of a microservice or a WebSocket, or a GraphQL operation that came over one: its root begins now and ends
 * with the answer. Undefined when it is to be left alone.
 */
export function messageWork(host: ExecutionContext, settings: SvcSettings): Work | undefined {
  const { request, payload, traceName } = partsOf(host)
  const scope = new Scope(originOf(host, settings), () => 'message', settings.resolvers, { request, host })
  const marks = setHandled(scope, host, traceName)
  if (!marks) return undefined
  scope.enterHandler(host.getHandler())
  const capture = captureOf(marks, settings)
  scope.leaveEmpty(capture)
  if (capture.input) scope.capture('input', () => boundedText(payload))
  const output = capture.output ? new Output(scope) : undefined
  return {
    scope,
    emitted: (value) => (output ? output.add(value) : value),
    threw: (error) => {
      scope.threw(error)
      output?.end()
      scope.close(messageOutcome(error))
    },
    completed: () => {
      output?.end()
      scope.close()
    },
    left: () => {
      output?.end()
      scope.close({ level: 'WARNING', statusMessage: 'the caller unsubscribed before the response was complete' })
    },
  }
}

/** What comes over a WebSocket belongs to nothing but itself: the active context may be that of the connection. */
function originOf(host: ExecutionContext, settings: SvcSettings): Context {
  if (host.getType() !== 'rpc') return ROOT_CONTEXT
  return trusted(continued(context.active(), host, settings), settings)
}

/** In the trace that the metadata of a message name, where its senders are trusted. */
function continued(active: Context, host: ExecutionContext, { trustTraceparent }: SvcSettings): Context {
  const args: readonly unknown[] = host.switchToRpc().getContext<{ getArgs?(): unknown[] }>()?.getArgs?.() ?? []
  const metadata = trustTraceparent ? args.find(namesTrace) : undefined
  return metadata === undefined ? active : propagation.extract(active, metadata)
}

function namesTrace(arg: unknown): boolean {
  return typeof (arg as { traceparent?: unknown } | null | undefined)?.traceparent === 'string'
}

interface MessageParts {
  /** What resolvers get. */
  readonly request: unknown
  readonly payload: unknown
  readonly traceName?: string | undefined
}

function partsOf(host: ExecutionContext): MessageParts {
  if (isQuery(host)) {
    const { request, args, name } = new Query(host)
    return { request, payload: args, traceName: name }
  }
  if (host.getType() === 'ws') {
    const ws = host.switchToWs()
    return { request: ws.getClient(), payload: ws.getData() }
  }
  const data: unknown = host.switchToRpc().getData()
  return { request: data, payload: data }
}
