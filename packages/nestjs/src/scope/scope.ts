import type { Attributes, Context, Span } from '@opentelemetry/api'
import { SpanStatusCode, trace } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE } from '@svc/core/attributes'
import { claimTrace } from '@svc/core/context'
import { withSpan } from '@svc/core/flat-context'
import { type Half, leaveEmpty } from '@svc/core/left-empty'
import { isMuted } from '@svc/core/muted-span'
import { ENDED_EARLY, track } from '@svc/core/open-calls'
import { type MissingEnd, SpanLife } from '@svc/core/span-life'
import type { SvcSpanAttributes } from '@svc/tracing'
import { messageIn, startSpan, writeObservation } from '@svc/tracing/adapters'
import { requestClosed, requestOpened } from './open-requests.ts'
import { type Outcome, SUCCESS } from './outcome.ts'
import { RequestIdentity, requestIdentityIn } from './request-identity.ts'
import { RequestSpan, type Within } from './request-span.ts'
import type { Resolver, Subject } from './resolution.ts'

/**
 * One request or message: who it is for, and the observation that is the root of everything inside. Guards, pipes and
 * filters find both through the context, in which they are not known yet when it is made.
 */
export class Scope extends SpanLife implements Within {
  /** The context of everything in the request. */
  readonly context: Context
  readonly identity: RequestIdentity
  /** The span of the root observation, if there is one by now. */
  span: Span | undefined
  /** Whether a handler took it. */
  isHandled = false
  readonly #outer: Context
  readonly #name: () => string
  #workContext: Context | undefined
  #currentHandler: object | undefined
  #skipped = false

  /**
   * @param outer what it runs in
   * @param name what its root is called until it is known what handles it
   */
  constructor(outer: Context, name: () => string, resolvers: readonly Resolver[], subject: Subject) {
    super(0)
    this.#name = name
    this.identity = new RequestIdentity(outer, this, resolvers, subject)
    this.#outer = this.identity.in(outer)
    this.context = withSpan(this.#outer, new RequestSpan(trace.getSpan(outer), this))
  }

  /** Returns the root's span, which starts now at the latest; without a root, the span above. */
  open(): Span | undefined {
    const span = this.span ?? this.#open(this.#name())
    if (span) return span
    const above = trace.getSpan(this.#outer)
    return isMuted(above) ? above.request?.open() : undefined
  }

  /** Whether there is a root to record on. */
  get isObserved(): boolean {
    return this.span !== undefined && !this.#skipped && !this.ended
  }

  /** The context of the handler. */
  get workContext(): Context {
    const { span } = this
    if (!span) return this.context
    this.#workContext ??= claimTrace(withSpan(this.#outer, span), span.spanContext().traceId)
    return this.#workContext
  }

  /**
   * Called when it is known what handles it: sets the name of the root, which starts now at the latest.
   *
   * @returns whether it was not set before
   */
  setHandler(name: string, values: Attributes): boolean {
    if (this.isHandled || this.#skipped) return false
    this.isHandled = true
    this.identity.mark(values)
    if (this.span) this.span.updateName(name)
    else this.#open(name)
    return true
  }

  /** Renames the root of a request that no handler took: a guard refused it. */
  rename(name: string): void {
    if (!this.isHandled) this.span?.updateName(name)
  }

  /** Leaves it unobserved: no root, no user, no session. */
  skip(skipped = true): void {
    this.#skipped = skipped
    this.identity.setDisabled(skipped)
  }

  /** Returns whether this handler is running. */
  isCurrentHandler(handler: object): boolean {
    return this.#currentHandler === handler
  }

  /**
   * Marks a handler as running.
   *
   * @returns false if it was running already
   */
  enterHandler(handler: object): boolean {
    if (this.#currentHandler === handler) return false
    this.#currentHandler = handler
    return true
  }

  update(attributes: SvcSpanAttributes): void {
    if (!this.ended && this.span) writeObservation(this.span, 'span', attributes)
  }

  /** Records input or output, unless code has set it. */
  capture(field: 'input' | 'output', readText: () => string | undefined): void {
    if (this.ended || !this.span?.isRecording() || isSet(this.span, CAPTURED[field])) return
    const text = attempt(`capture ${field}`, readText)
    if (text !== undefined) this.update({ [field]: text })
  }

  /** Keeps input or output that is not to be captured from being taken from the model calls below. */
  leaveEmpty(capture: Readonly<Record<Half, boolean | undefined>>): void {
    const { span } = this
    if (span && capture.input === false) leaveEmpty(span, 'input')
    if (span && capture.output === false) leaveEmpty(span, 'output')
  }

  /** Records what was thrown. What it means for the whole is decided at the end. */
  threw(error: unknown): void {
    // What was thrown may throw when it is read.
    attempt('record an exception', () =>
      this.span?.recordException(error instanceof Error ? error : (messageIn(error) ?? String(error))),
    )
  }

  /** Ends it. Only the first call counts. */
  end(outcome: Outcome = SUCCESS, attributes: Attributes = {}): void {
    if (this.ended) return
    if (this.span) {
      this.identity.resolveFinal()
      this.identifyParent()
    }
    this.finish(() => this.#record(outcome, attributes))
  }

  #record(outcome: Outcome, attributes: Attributes): void {
    const { span } = this
    if (!span) {
      this.identity.finish()
      return
    }
    if (outcome !== SUCCESS) writeObservation(span, 'span', outcome)
    // Unless the application has ended it.
    if (!span.isRecording()) return
    span.setAttributes(attributes)
    if (outcome.level === 'ERROR') span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.statusMessage ?? '' })
  }

  protected close(): void {
    if (!this.span) return
    requestClosed()
    if (this.span.isRecording()) this.span.end()
  }

  /** Gives the user and session to the root above, which `SVC_HTTP_ROOT` makes. */
  identifyParent(): void {
    const above = this.span && trace.getSpan(this.#outer)
    if (isMuted(above)) above.request?.open()?.setAttributes(this.identity.read())
  }

  endWithout(missing: MissingEnd): void {
    // All other open calls are ended, too, whatever a span processor throws.
    attempt('end a request', () => this.end(missing === 'unfinished' ? { statusMessage: ENDED_EARLY } : undefined))
  }

  #open(name: string): Span | undefined {
    if (!this.span && !this.#skipped && !this.ended) {
      this.span = startSpan('span', name, undefined, this.#outer)
      track(this)
      requestOpened()
    }
    return this.span
  }
}

const CAPTURED = { input: ATTRIBUTE.OBSERVATION_INPUT, output: ATTRIBUTE.OBSERVATION_OUTPUT } as const

/** The API has no getter for attributes; the spans of OpenTelemetry's SDK, and those built on it, do. */
function isSet(span: Span, attribute: string): boolean {
  return (span as { attributes?: Attributes }).attributes?.[attribute] !== undefined
}

/** Returns the request or message that runs in a context. */
export function scopeIn(context: Context): Scope | undefined {
  return requestIdentityIn(context)?.scope
}
