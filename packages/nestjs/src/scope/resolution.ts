import type { ArgumentsHost } from '@nestjs/common'
import type { Attributes } from '@opentelemetry/api'
import { mergeAttributes } from '@svc/core/context'
import { log, messageOf } from '@svc/core/log'
import type { propagatedValues } from '@svc/tracing/adapters'

/** The arguments of a resolver. Read each time: frameworks replace the request. */
export interface Subject {
  readonly request: unknown
  readonly host: ArgumentsHost
}

/** Finds out who a request is for. */
export interface Resolver {
  /** The option it came from, for messages. */
  readonly option: string
  /** @returns a value, or a promise of one */
  readonly resolve: (request: unknown, host: ArgumentsHost) => unknown
  /** Maps its result to span attributes. */
  readonly accept: (result: unknown, reject: Parameters<typeof propagatedValues>[1]) => Attributes
}

/** The owner of resolutions. */
interface Owner {
  /** Called each time one has returned a value. */
  changed(): void
}

/**
 * The result of one resolver. It runs when a span starts or ends until it returns a value, and once more when the guards
 * have passed: a guard may authenticate later, so earlier values are provisional. A resolver that returns a promise runs
 * once early. Only an error of the last run is reported.
 */
export class Resolution {
  value: Attributes | undefined
  readonly #resolver: Resolver
  readonly #subject: Subject
  readonly #owner: Owner
  #pending: Promise<void> | undefined
  #isSettled = false

  constructor(resolver: Resolver, subject: Subject, owner: Owner) {
    this.#resolver = resolver
    this.#subject = subject
    this.#owner = owner
  }

  /** Runs the resolver if it has no value yet. */
  early(): void {
    if (!this.value && !this.#isSettled) this.#resolve(false)
  }

  /** Runs the resolver when the guards have passed. @returns undefined unless it returns a promise */
  last(): Promise<void> | undefined {
    return this.#pending ? this.#pending.then(() => this.#resolve(true)) : this.#resolve(true)
  }

  #resolve(final: boolean): Promise<void> | undefined {
    try {
      const { request, host } = this.#subject
      const result = this.#resolver.resolve(request, host)
      if (!isThenable(result)) {
        this.#accept(result)
        return undefined
      }
      this.#isSettled = true
      this.#pending = Promise.resolve(result).then(
        (value) => this.#accept(value),
        (error: unknown) => this.#reportFailure(error, final),
      )
      return this.#pending
    } catch (error) {
      this.#reportFailure(error, final)
      return undefined
    }
  }

  #accept(result: unknown): void {
    if (result === undefined || result === null) return
    const { option, accept } = this.#resolver
    const value = accept(result, (what, reason) =>
      log.once(
        'warn',
        `${what} of the ${option} resolver of SvcModule is dropped: ${reason}`,
        // Keys of metadata may be anything.
        `${what.split('.')[0]} of the ${option} resolver of SvcModule`,
      ),
    )
    if (Object.keys(value).length === 0) return
    this.value = this.value ? mergeAttributes(this.value, value) : value
    this.#owner.changed()
  }

  // Before the guards have passed there may be no user yet.
  #reportFailure(error: unknown, final: boolean): void {
    if (!final) return
    this.#isSettled = true
    const { option } = this.#resolver
    log.once(
      'warn',
      `the ${option} resolver of SvcModule failed, so its values are missing: ${messageOf(error)}`,
      `the ${option} resolver of SvcModule`,
    )
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}
