import type { Context, Span } from '@opentelemetry/api'
import type { HttpRoots } from './http-roots.ts'
import type { OpenedRequest, RequestDescription, Served } from './served.ts'

/**
 * A request and its root span, which is created when a span starts inside it that needs one, and ended once the response
 * is done and a span inside was exported, in any order.
 */
export class HttpRequest implements OpenedRequest {
  // `declare`, because V8 defines fields in a function of its own, which is called for every object.
  declare route: string | undefined
  /** The context extracted from its headers. */
  declare readonly parent: Context
  declare readonly traceId: string
  declare readonly startTime: number
  declare private readonly roots: HttpRoots
  /** Undefined once the response is done. */
  declare private served: Served | undefined
  /** The request when its response was done. */
  declare private seen: RequestDescription | undefined
  declare private root: Span | undefined
  declare private isKept: boolean
  /** When the response was done, in milliseconds since the epoch. */
  declare private endTime: number | undefined

  constructor(roots: HttpRoots, served: Served, parent: Context, traceId: string) {
    this.route = undefined
    this.parent = parent
    this.traceId = traceId
    this.startTime = Date.now()
    this.roots = roots
    this.served = served
    this.seen = undefined
    this.root = undefined
    this.isKept = false
    this.endTime = undefined
  }

  open(scope?: string): Span | undefined {
    if (this.root || !this.roots.isMadeFor(scope)) return this.root
    const seen = this.seen ?? this.served?.describe(this.route)
    if (!seen) return undefined
    this.root = this.roots.start(this, seen)
    if (this.root && this.seen) this.roots.close(this, this.root, seen)
    return this.root
  }

  /** The response is done, or never will be. */
  done(): void {
    const seen = this.served?.describe(this.route)
    if (!seen) return
    this.seen = seen
    // A context is retained by everything that was opened in it, such as a pooled socket, and must not retain the
    // request.
    this.served = undefined
    if (this.root) this.roots.close(this, this.root, seen)
  }

  /** Called when a span inside the root was exported. */
  keep(): void {
    if (this.isKept) return
    this.isKept = true
    if (this.endTime !== undefined) this.root?.end(this.endTime)
  }

  /**
   * Ends the root now, or when a span inside is exported.
   *
   * @returns whether it has ended
   */
  end(): boolean {
    if (this.endTime === undefined) {
      this.endTime = Date.now()
      if (this.isKept) this.root?.end(this.endTime)
    }
    return this.isKept
  }
}
