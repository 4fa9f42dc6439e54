import type { ExecutionContext } from '@nestjs/common'
import { ROOT_CONTEXT } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { messageOutcome } from '../../scope/outcome.ts'
import { Scope } from '../../scope/scope.ts'
import type { SvcSettings } from '../../settings.ts'
import { captureOf } from '../capture.ts'
import { marksIn } from '../handled.ts'
import { Query } from '../query.ts'
import type { Work } from '../within.ts'
import { EventIterator } from './event-iterator.ts'
import { resolveInEvents } from './event-resolver.ts'
import { SubscriptionEvent } from './subscription-event.ts'

/**
 * A GraphQL subscription over a socket. Its handler runs once; what that records is a trace of its own, if it records
 * anything. Each event is a trace. Undefined when it is to be left alone.
 */
export function subscriptionWork(host: ExecutionContext, settings: SvcSettings): Work | undefined {
  const query = new Query(host)
  const marks = marksIn(host, query.name)
  if (marks.skip) return undefined
  // Not in the active context: that is of the socket, which lives on.
  const scope = new Scope(ROOT_CONTEXT, () => marks.name, settings.resolvers, { request: query.request, host })
  scope.identity.mark(marks.values)
  scope.identity.resolveFinal()
  const capture = captureOf(marks, settings)
  const makeEvent = () => new SubscriptionEvent(scope, { host, query, capture, marks })
  return {
    scope,
    emitted: (source) => {
      const events = attempt('follow a subscription', () => {
        resolveInEvents(query)
        return EventIterator.over(source, query.contextValue, makeEvent)
      })
      return events ?? source
    },
    threw: (error) => {
      scope.open()
      scope.threw(error)
      scope.end(messageOutcome(error))
    },
    completed: () => scope.end(),
    left: () => scope.end(),
  }
}
