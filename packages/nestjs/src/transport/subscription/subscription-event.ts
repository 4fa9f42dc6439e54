import type { ExecutionContext } from '@nestjs/common'
import { ROOT_CONTEXT } from '@opentelemetry/api'
import { boundedText } from '@svc/core/bounded-json'
import { markPublic } from '@svc/tracing/adapters'
import type { Marks } from '../../decorators/marks.ts'
import { messageOutcome, type Outcome } from '../../scope/outcome.ts'
import { Scope } from '../../scope/scope.ts'
import type { Capture } from '../capture.ts'
import type { Query } from '../query.ts'

/** The values that all events of a subscription share. */
export interface EventOptions {
  readonly host: ExecutionContext
  readonly query: Query
  readonly capture: Capture
  readonly marks: Marks
}

/** One event of a subscription. It has a root as soon as something is recorded in it, or it is resolved. */
export class SubscriptionEvent {
  readonly scope: Scope
  /** Whether the subscriber is gone: the event then ends as soon as its field is resolved. */
  isLast = false
  readonly #options: EventOptions
  #outcome: Outcome | undefined

  /** @param subscription whose user and session the event has */
  constructor(subscription: Scope, options: EventOptions) {
    const { host, query, marks } = options
    const subject = { request: query.request, host }
    this.scope = new Scope(subscription.identity.in(ROOT_CONTEXT), () => marks.name, [], subject)
    this.scope.identity.resolveFinal()
    this.#options = options
  }

  /** Opens the root. */
  begin(): void {
    const { scope } = this
    const { query, capture, marks } = this.#options
    scope.open()
    if (marks.isPublic && scope.span) markPublic(scope.span)
    scope.leaveEmpty(capture)
    if (capture.input) scope.capture('input', () => boundedText(query.args))
  }

  resolved(value: unknown): void {
    if (this.#options.capture.output) this.scope.capture('output', () => boundedText(value))
    if (this.isLast) this.end()
  }

  threw(error: unknown): void {
    this.scope.open()
    this.scope.threw(error)
    this.#outcome ??= messageOutcome(error)
    if (this.isLast) this.end()
  }

  end(): void {
    this.scope.end(this.#outcome)
  }
}
