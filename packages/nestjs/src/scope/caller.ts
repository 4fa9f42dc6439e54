import type { Attributes, Context } from '@opentelemetry/api'
import { createContextKey } from '@opentelemetry/api'
import { type LateAttributes, lateAttributes, mergedAttributes, withLateAttributes } from '@svc/core/context'
import { Identity, type Resolver } from './identity.ts'

const CALLER = createContextKey('svc.nestjs-caller')

/** Longest wait of a span that has ended for the user it belongs to. */
const PATIENCE_MS = 2_000

/**
 * Whose request, message or job something is. Not known yet when the first spans start: those that end before it is
 * known wait for it.
 */
export class Caller implements LateAttributes {
  readonly #outer: LateAttributes | undefined
  readonly #identity: Identity
  #marks: Attributes = {}
  #said: Attributes = {}
  #attributes: Attributes | undefined
  #ignored = false
  #known = false
  #pending: Promise<void> | undefined
  #release: (() => void) | undefined

  /** @param origin the context it comes from: what is late there is late here, too */
  constructor(origin: Context, resolvers: readonly Resolver[] = []) {
    this.#outer = lateAttributes(origin)
    this.#identity = new Identity(resolvers, () => {
      this.#attributes = undefined
    })
  }

  /** `context`, with its spans belonging to the caller. */
  in(context: Context): Context {
    return withLateAttributes(context, this).setValue(CALLER, this)
  }

  /** Values that the handler was marked with. */
  mark(values: Attributes): void {
    this.#marks = values
    this.#attributes = undefined
  }

  /** Values from now on, over those of the resolvers; also for the spans that are open. */
  identify(values: Attributes): void {
    this.#said = mergedAttributes(this.#said, values)
    this.#attributes = undefined
  }

  /** Nobody is to know, or everybody again. */
  ignore(ignored: boolean): void {
    this.#ignored = ignored
  }

  /** The guards have passed: who it is, is known now or as soon as the resolvers have answered. */
  settle(): void {
    if (this.#known) return
    const later = this.#identity.settle()
    if (later) void later.then(() => this.#learnedAll())
    else this.#learnedAll()
  }

  read(): Attributes {
    const outer = this.#outer?.read() ?? {}
    if (this.#ignored) return outer
    this.#identity.ask()
    this.#attributes ??= mergedAttributes(mergedAttributes(this.#marks, this.#identity.attributes), this.#said)
    return this.#outer ? mergedAttributes(outer, this.#attributes) : this.#attributes
  }

  pending(): Promise<void> | undefined {
    if (this.#known || this.#ignored) return this.#outer?.pending()
    this.#pending ??= new Promise((resolve) => {
      const timer = setTimeout(resolve, PATIENCE_MS)
      timer.unref()
      this.#release = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    return this.#pending
  }

  #learnedAll(): void {
    this.#known = true
    this.#release?.()
  }
}

/** Whose work runs in a context. */
export function callerIn(context: Context): Caller | undefined {
  return context.getValue(CALLER) as Caller | undefined
}
