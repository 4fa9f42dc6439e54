import type { Attributes, Context } from '@opentelemetry/api'
import { type LateAttributes, lateAttributes, mergedAttributes, withLateAttributes } from '@svc/core/context'
import { Identity, type Resolver, type Subject } from './identity.ts'
import type { Scope } from './scope.ts'

const NOTHING: Attributes = {}

/** Longest wait of a span that has ended for the user it belongs to. */
const PATIENCE_MS = 2_000

/**
 * Whose request, message or job something is. Not known yet when the first spans start: those that end before it is
 * known wait for it.
 */
export class Caller implements LateAttributes {
  readonly #outer: LateAttributes | undefined
  readonly #identity: Identity
  #marks = NOTHING
  #said = NOTHING
  #attributes: Attributes | undefined
  /** Those of the outer one that `#attributes` was made with. */
  #outerAttributes: Attributes | undefined
  #ignored = false
  #settling = false
  #known = false
  /** It became known only after a while. */
  #late = false
  #pending: Promise<void> | undefined
  #release: (() => void) | undefined

  /** The request or message; undefined for other work with a root of its own. */
  readonly scope: Scope | undefined

  /** @param origin the context it comes from: what is late there is late here, too */
  constructor(origin: Context, scope?: Scope, resolvers: readonly Resolver[] = [], subject?: Subject) {
    this.scope = scope
    this.#outer = lateAttributes(origin)
    this.#identity = new Identity(resolvers, subject, () => {
      this.#attributes = undefined
    })
  }

  /** `context`, with its spans belonging to the caller. */
  in(context: Context): Context {
    return withLateAttributes(context, this)
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
    if (this.#settling) return
    this.#settling = true
    const later = this.#ignored ? undefined : this.#identity.settle()
    this.#late = later !== undefined
    if (later) void later.then(() => this.#learnedAll())
    else this.#learnedAll()
  }

  /** It is over, and nothing was recorded that would not have asked by now: nobody else is asked any more. */
  leave(): void {
    if (this.#pending) this.settle()
    else this.#learnedAll()
  }

  read(): Attributes {
    const outer = this.#outer?.read() ?? NOTHING
    if (this.#ignored) return outer
    this.#identity.ask()
    if (this.#attributes && outer === this.#outerAttributes) return this.#attributes
    this.#outerAttributes = outer
    const all = [outer, this.#marks, this.#identity.attributes, this.#said].filter((each) => each !== NOTHING)
    this.#attributes = all.length < 2 ? (all[0] ?? NOTHING) : all.reduce(mergedAttributes)
    return this.#attributes
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
    if (this.#late) this.scope?.tellAbove()
    this.#release?.()
  }
}

/** Of a request that is left alone: nobody is known, and nobody is told so. */
const NOBODY: LateAttributes = { read: () => NOTHING, pending: () => undefined }

/** `context` for what is left alone, whatever is said in it. */
export function leftAlone(context: Context): Context {
  return withLateAttributes(context, NOBODY)
}

/** Whether {@link leftAlone} made the context. */
export function isLeftAlone(context: Context): boolean {
  return lateAttributes(context) === NOBODY
}

/** Whose work runs in a context. */
export function callerIn(context: Context): Caller | undefined {
  const late = lateAttributes(context)
  return late instanceof Caller ? late : undefined
}
