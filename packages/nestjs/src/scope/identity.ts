import type { ArgumentsHost } from '@nestjs/common'
import type { Attributes } from '@opentelemetry/api'
import { mergedAttributes } from '@svc/core/context'
import { log, messageOf } from '@svc/core/log'
import { propagatedValues } from '@svc/tracing/adapters'

/** Whom a resolver is asked about. Read each time: frameworks put something else in the place of a request. */
export interface Subject {
  readonly request: unknown
  readonly host: ArgumentsHost
}

/** Says who a request is for. */
export interface Resolver {
  /** The option it came from, for messages. */
  readonly option: string
  /** @returns what it says: at once, or anything that can be awaited */
  resolve(subject: Subject): unknown
  /** What it said, by the names of `propagateAttributes`. */
  readonly values: (result: unknown) => unknown
}

/**
 * Who a request is for, as its resolvers say. They are asked when a span starts or ends, until they have an answer, and
 * once more when the guards have passed: one that authenticates runs after us, so what they say before is provisional.
 * One that answers with a promise is asked once early. Only what goes wrong in the end is worth a word.
 */
export class Identity {
  readonly #answers: readonly Answer[]

  /** @param learned called when an answer came */
  constructor(resolvers: readonly Resolver[], subject: Subject | undefined, learned: () => void) {
    this.#answers = subject ? resolvers.map((resolver) => new Answer(resolver, subject, learned)) : []
  }

  /** Asks those that may know by now. */
  ask(): void {
    for (const answer of this.#answers) answer.early()
  }

  /** Asks everyone when the guards have passed. @returns undefined when nobody needs time */
  resolveFinal(): Promise<unknown> | undefined {
    const later = this.#answers.flatMap((answer) => answer.last() ?? [])
    return later.length > 0 ? Promise.all(later) : undefined
  }

  get attributes(): Attributes {
    const values = this.#answers.flatMap(({ value }) => (value ? [value] : []))
    return values.length < 2 ? (values[0] ?? {}) : values.reduce(mergedAttributes)
  }
}

class Answer {
  value: Attributes | undefined
  readonly #resolver: Resolver
  readonly #subject: Subject
  readonly #learned: () => void
  #underWay: Promise<void> | undefined
  #askNoMore = false

  constructor(resolver: Resolver, subject: Subject, learned: () => void) {
    this.#resolver = resolver
    this.#subject = subject
    this.#learned = learned
  }

  early(): void {
    if (!this.value && !this.#askNoMore) this.#ask(false)
  }

  last(): Promise<void> | undefined {
    return this.#underWay ? this.#underWay.then(() => this.#ask(true)) : this.#ask(true)
  }

  #ask(final: boolean): Promise<void> | undefined {
    try {
      const result = this.#resolver.resolve(this.#subject)
      if (!isThenable(result)) {
        this.#take(result)
        return undefined
      }
      this.#askNoMore = true
      this.#underWay = Promise.resolve(result).then(
        (value) => this.#take(value),
        (error: unknown) => this.#failed(error, final),
      )
      return this.#underWay
    } catch (error) {
      this.#failed(error, final)
      return undefined
    }
  }

  #take(result: unknown): void {
    if (result === undefined || result === null) return
    const { option, values } = this.#resolver
    const value = propagatedValues(values(result), (what, reason) =>
      log.once(
        'warn',
        `${what} of the ${option} resolver of SvcModule is dropped: ${reason}`,
        // Keys of metadata may be anything.
        `${what.split('.')[0]} of the ${option} resolver of SvcModule`,
      ),
    )
    if (Object.keys(value).length === 0) return
    this.value = mergedAttributes(this.value ?? {}, value)
    this.#learned()
  }

  // Before the guards have passed there may be nobody to ask about.
  #failed(error: unknown, final: boolean): void {
    if (!final) return
    this.#askNoMore = true
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
