import { SpanStatusCode } from '@svc/core/api'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { after } from '@svc/core/timers'
import { modelOperation } from './model-operation.ts'
import type { ReadableSpan } from './sdk.ts'
import type { OpenAbove } from './span-tree.ts'
import { withAttributes, withParent } from './span-view.ts'

/** How many milliseconds a call waits for the end of the one around it: layers of one call end one after the other. */
const WAIT_MS = 2_000
/** Most outer calls that are remembered. */
const CAPACITY = 256

/** An open call of a model, with the call directly below it. */
interface Outer {
  /** Undefined once it was passed on by itself. */
  inner: ReadableSpan | undefined
  readonly since: number
}

/**
 * Tells of each model call once, whoever made its spans. A call that lies directly in another one of the same operation is
 * the same call, recorded by two layers: of a framework and a client, or of the application and a library. It waits until
 * the outer one ends, and becomes one span with it. An outer one with several calls below it only groups them.
 */
export class SameCalls {
  readonly #outer = new Map<string, Outer>()
  readonly #pass: (span: ReadableSpan) => void
  #timer: ReturnType<typeof after> | undefined

  /** @param pass takes a call that is no part of another one after all */
  constructor(pass: (span: ReadableSpan) => void) {
    this.#pass = pass
  }

  /**
   * @param findOuter returns the open span that this one lies in
   * @returns whether the span waits for the end of that; if false, it is a call by itself, or none
   */
  wait(span: ReadableSpan, findOuter: () => ReadableSpan | undefined): boolean {
    const operation = operationOf(span)
    const outer = operation && findOuter()
    if (!outer || operationOf(outer) !== operation) return false
    const { spanId } = outer.spanContext()
    if (this.#outer.has(spanId)) {
      this.#groups(spanId)
      return false
    }
    this.#remember(spanId, withParent(span, outer.spanContext()))
    this.#timer ??= after(WAIT_MS, () => this.#letOldGo())
    return true
  }

  /**
   * Has a call whose request this process serves only group what is asked for it, with the same operation: a gateway and
   * its client may be one process.
   *
   * @param above the open spans above, from below
   */
  group(span: ReadableSpan, above: readonly OpenAbove[]): void {
    const operation = above.length > 0 ? operationOf(span) : undefined
    let isAround = false
    for (const { span: outer, isServed } of above) {
      if (isAround && operation && operationOf(outer) === operation) this.#groups(outer.spanContext().spanId)
      else isAround = isServed
    }
  }

  /** Returns an ended call together with what the call below it says. */
  ended(span: ReadableSpan): ReadableSpan {
    const { spanId } = span.spanContext()
    const outer = this.#outer.get(spanId)
    if (!outer) return span
    this.#outer.delete(spanId)
    return outer.inner ? joined(span, outer.inner) : grouping(span)
  }

  /** Passes on all calls that wait. */
  settle(): void {
    for (const each of this.#outer.values()) this.#letGo(each)
  }

  #groups(spanId: string): void {
    const known = this.#outer.get(spanId)
    if (known) this.#letGo(known)
    else this.#remember(spanId, undefined)
  }

  #remember(spanId: string, inner: ReadableSpan | undefined): void {
    this.#outer.set(spanId, { inner, since: performance.now() })
    for (const [oldest, each] of this.#outer) {
      if (this.#outer.size <= CAPACITY) break
      this.#letGo(each)
      this.#outer.delete(oldest)
    }
  }

  #letOldGo(): void {
    this.#timer = undefined
    const now = performance.now()
    for (const each of this.#outer.values()) {
      if (now - each.since >= WAIT_MS) this.#letGo(each)
      else if (each.inner) this.#timer ??= after(each.since + WAIT_MS - now, () => this.#letOldGo())
    }
  }

  #letGo(outer: Outer): void {
    const { inner } = outer
    outer.inner = undefined
    if (inner) this.#pass(inner)
  }
}

function operationOf({ attributes, instrumentationScope, name }: ReadableSpan): string | undefined {
  return modelOperation(attributes, instrumentationScope.name, name)
}

/** At the place of the outer one, whose own words count: it may be the application's. */
function joined(outer: ReadableSpan, inner: ReadableSpan): ReadableSpan {
  return Object.assign(withAttributes(outer, { ...inner.attributes, ...outer.attributes }), {
    status: outer.status.code === SpanStatusCode.UNSET ? inner.status : outer.status,
    events: [...inner.events, ...outer.events],
  })
}

const USAGE = /^(gen_ai\.usage\.|llm\.(token_count|cost)\.|svc\.observation\.(usage|cost)_details$)/

/** Its tokens are those of the calls below it, and its text has been priced there. */
function grouping(span: ReadableSpan): ReadableSpan {
  const own = Object.entries(span.attributes).filter(([name]) => !USAGE.test(name))
  return withAttributes(span, {
    ...Object.fromEntries(own),
    [ATTRIBUTE.OBSERVATION_TYPE]: 'span',
    [ATTRIBUTE.OBSERVATION_COST_DETAILS]: JSON.stringify({ total: 0 }),
  })
}
