import type { ExecutionContext } from '@nestjs/common'
import { type Context, propagation } from '@opentelemetry/api'
import { context, ROOT_CONTEXT } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import { boundedText } from '@svc/core/bounded-json'
import { withBelieved } from '@svc/core/remote-parent'
import { beliefOf, withBelief, withTrustedBaggage } from '@svc/core/trust'
import { messageOutcome } from '../scope/outcome.ts'
import { Scope } from '../scope/scope.ts'
import type { SvcSettings } from '../settings.ts'
import { captureOf } from './capture.ts'
import { setHandled } from './handled.ts'
import { HandlerOutput } from './output.ts'
import { isQuery, Query } from './query.ts'
import type { Work } from './within.ts'

/**
 * Observes a message of a microservice or a WebSocket, or a GraphQL operation over one: its root begins now and ends
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
  const output = capture.output ? new HandlerOutput({ scope }) : undefined
  return {
    scope,
    emitted: (value) => (output ? output.add(value) : value),
    threw: (error) => {
      scope.threw(error)
      output?.end()
      scope.end(messageOutcome(error))
    },
    completed: () => {
      output?.end()
      scope.end()
    },
    left: () => {
      output?.end()
      scope.end({ level: 'WARNING', statusMessage: 'the caller unsubscribed before the response was complete' })
    },
  }
}

/**
 * Returns the context that a message starts in. One over a WebSocket belongs to nothing but itself: the active context
 * may be that of the connection. One from another service is in the trace that its metadata name, where its senders are
 * trusted.
 */
function originOf(host: ExecutionContext, settings: SvcSettings): Context {
  if (host.getType() !== 'rpc') return ROOT_CONTEXT
  const args = host.switchToRpc().getContext<RpcContext | undefined>()?.getArgs?.() ?? []
  const belief = beliefOf(settings, attempt('look at a connection', senderIn, args))
  const active = withTrustedBaggage(context.active(), settings.trustBaggage, belief.address)
  const metadata = args.find(namesTrace)
  if (metadata === undefined) return active
  const before = withBelief(active, belief)
  return withBelieved(propagation.extract(before, metadata), before, belief, settings)
}

interface RpcContext {
  getArgs?(): readonly unknown[]
}

/** Returns the address of a sender over TCP. Of a broker only the broker is seen, which sends for everybody. */
function senderIn([first]: readonly unknown[]): string | undefined {
  const { socket } = Object(first) as { socket?: { remoteAddress?: unknown } }
  const address = socket?.remoteAddress
  return typeof address === 'string' ? address : undefined
}

function namesTrace(arg: unknown): boolean {
  return typeof (arg as { traceparent?: unknown } | null | undefined)?.traceparent === 'string'
}

interface MessageParts {
  /** The first argument of resolvers. */
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
