import type { Attributes, Context, Span } from '@opentelemetry/api'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { FLAT_ROOT_CONTEXT } from '@svc/core/flat-context'
import type { HttpRoots } from './http-roots.ts'
import type { Describe, OpenedRequest } from './served.ts'

/**
 * A request and its root span, which is created when a span starts inside it that needs one, and ended once the response
 * is done and a span inside was exported, in any order.
 */
export class RootRequest implements OpenedRequest {
  route: string | undefined
  /** The context extracted from its headers. */
  readonly parent: Context
  readonly traceId: string
  readonly startTime = Date.now()
  readonly #roots: HttpRoots
  readonly #isAlways: boolean
  /** Undefined once the response is done. */
  #describe: Describe | undefined
  /** The request when its response was done. */
  #seen: ReturnType<Describe> | undefined
  #root: Span | undefined
  /** User and session, as they were first propagated. */
  #identity: Attributes = {}
  #isKept = false
  /** To be called when the response is done. */
  readonly #actions: (() => void)[] = []
  /** When the response was done, in milliseconds since the epoch. */
  #endTime: number | undefined

  /** @param isAlways whether spans of any scope have this root. Default: as the setting of all roots says */
  constructor(roots: HttpRoots, describe: Describe, parent: Context, traceId: string, isAlways = false) {
    this.parent = parent
    this.traceId = traceId
    this.#roots = roots
    this.#isAlways = isAlways
    this.#describe = describe
  }

  open(scope?: string): Span | undefined {
    if (this.#root || !(this.#isAlways || this.#roots.isMadeFor(scope))) return this.#root
    const seen = this.#seen ?? this.#describe?.(this.route)
    if (!seen) return undefined
    this.#root = this.#roots.start(this, seen)?.setAttributes(this.#identity)
    if (this.#root && this.#seen) this.#roots.close(this, this.#root, seen)
    return this.#root
  }

  identify(propagated: Attributes): void {
    for (const name of [ATTRIBUTE.TRACE_USER_ID, ATTRIBUTE.TRACE_SESSION_ID]) {
      const value = propagated[name]
      if (value === undefined || name in this.#identity) continue
      this.#identity[name] = value
      if (this.#root?.isRecording()) this.#root.setAttribute(name, value)
    }
  }

  whenDone(action: () => void): void {
    if (this.#describe) this.#actions.push(action)
    else action()
  }

  /** Returns what is made for Next's cache while this request is served: its route is the same, and it has no user. */
  forCache(traceId: string): RootRequest | undefined {
    const seen = this.#seen ?? this.#describe?.(this.route)
    if (!seen || 'name' in seen) return undefined
    const made = new RootRequest(this.#roots, () => ({ ...seen, status: undefined }), FLAT_ROOT_CONTEXT, traceId)
    this.whenDone(() => made.done())
    return made
  }

  /** The response is done, or never will be. */
  done(): void {
    const seen = this.#describe?.(this.route)
    if (!seen) return
    this.#seen = seen
    for (const action of this.#actions.splice(0)) action()
    // A context is retained by everything that was opened in it, such as a pooled socket, and must not retain the
    // request.
    this.#describe = undefined
    if (this.#root) this.#roots.close(this, this.#root, seen)
  }

  /** Called when a span inside the root was exported. */
  keep(): void {
    if (this.#isKept) return
    this.#isKept = true
    if (this.#endTime !== undefined) this.#root?.end(this.#endTime)
  }

  /**
   * Ends the root now, or when a span inside is exported.
   *
   * @returns whether it has ended
   */
  end(): boolean {
    if (this.#endTime === undefined) {
      this.#endTime = Date.now()
      if (this.#isKept) this.#root?.end(this.#endTime)
    }
    return this.#isKept
  }
}
