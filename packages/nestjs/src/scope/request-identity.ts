import type { Attributes, Context } from '@opentelemetry/api'
import {
  type DeferredAttributes,
  deferredAttributes,
  mergeAttributes,
  NONE,
  withDeferredAttributes,
} from '@svc/core/context'
import { Resolution, type Resolver, type Subject } from './resolution.ts'
import type { Scope } from './scope.ts'

/** Longest wait of a span that has ended for the user it belongs to. */
const IDENTITY_WAIT_MS = 2_000

/**
 * The user and session of a request, message or job. They are not known yet when the first spans start: spans that end
 * before wait for them.
 */
export class RequestIdentity implements DeferredAttributes {
  readonly #outer: DeferredAttributes | undefined
  readonly #resolutions: Resolution[] = []
  #marks = NONE
  #identified = NONE
  #attributes: Attributes | undefined
  /** Those of the outer one that `#attributes` was made with. */
  #outerAttributes: Attributes | undefined
  #isDisabled = false
  #isResolving = false
  #isKnown = false
  /** It became known only after a while. */
  #isLate = false
  #pending: Promise<void> | undefined
  #release: (() => void) | undefined

  /** The request or message; undefined for other work with a root of its own. */
  readonly scope: Scope | undefined

  /** @param origin the context it comes from: what is deferred there is deferred here, too */
  constructor(origin: Context, scope?: Scope, resolvers: readonly Resolver[] = [], subject?: Subject) {
    this.scope = scope
    this.#outer = deferredAttributes(origin)
    if (subject) for (const resolver of resolvers) this.#resolutions.push(new Resolution(resolver, subject, this))
  }

  /** `context`, with its spans belonging to whom it is for. */
  in(context: Context): Context {
    return withDeferredAttributes(context, this)
  }

  /** Sets the values of the handler's decorators. */
  mark(values: Attributes): void {
    this.#marks = values
    this.#attributes = undefined
  }

  /** Sets values from now on, over those of the resolvers; also for the spans that are open. */
  identify(values: Attributes): void {
    this.#identified = mergeAttributes(this.#identified, values)
    this.#attributes = undefined
  }

  /** Called when a resolver has returned a value. */
  changed(): void {
    this.#attributes = undefined
  }

  /** Turns identity resolution off or on. */
  setDisabled(disabled: boolean): void {
    this.#isDisabled = disabled
  }

  /**
   * Runs the resolvers for the last time: the guards have passed.
   *
   * @returns when all have their values; undefined if no resolver returns a promise
   */
  resolveFinal(): Promise<void> | undefined {
    if (this.#isResolving) return undefined
    this.#isResolving = true
    const pending: Promise<void>[] = []
    for (const resolution of this.#isDisabled ? [] : this.#resolutions) {
      const later = resolution.last()
      if (later) pending.push(later)
    }
    this.#isLate = pending.length > 0
    if (this.#isLate) return Promise.all(pending).then(() => this.#resolved())
    this.#resolved()
    return undefined
  }

  /** Ends the request. Resolvers run once more only if a span still waits for them. */
  finish(): void {
    if (this.#pending) void this.resolveFinal()
    else this.#resolved()
  }

  read(): Attributes {
    const outer = this.#outer?.read() ?? NONE
    if (this.#isDisabled) return outer
    for (const resolution of this.#resolutions) resolution.early()
    if (this.#attributes && outer === this.#outerAttributes) return this.#attributes
    this.#outerAttributes = outer
    let all = mergeAttributes(outer, this.#marks)
    for (const { value = NONE } of this.#resolutions) all = mergeAttributes(all, value)
    this.#attributes = mergeAttributes(all, this.#identified)
    return this.#attributes
  }

  pending(): Promise<void> | undefined {
    if (this.#isKnown || this.#isDisabled) return this.#outer?.pending()
    this.#pending ??= new Promise((resolve) => {
      const timer = setTimeout(resolve, IDENTITY_WAIT_MS)
      timer.unref()
      this.#release = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    return this.#pending
  }

  #resolved(): void {
    this.#isKnown = true
    if (this.#isLate) this.scope?.identifyParent()
    this.#release?.()
  }
}

/** A request that is not observed has no user and no session. */
const NO_IDENTITY: DeferredAttributes = { read: () => NONE, pending: () => undefined }

/** Returns `context` for work that is not observed. */
export function withoutObservation(context: Context): Context {
  return withDeferredAttributes(context, NO_IDENTITY)
}

/** Returns whether {@link withoutObservation} made the context. */
export function isUnobserved(context: Context): boolean {
  return deferredAttributes(context) === NO_IDENTITY
}

/** Returns the identity that the work in a context belongs to. */
export function requestIdentityIn(context: Context): RequestIdentity | undefined {
  const deferred = deferredAttributes(context)
  return deferred instanceof RequestIdentity ? deferred : undefined
}
