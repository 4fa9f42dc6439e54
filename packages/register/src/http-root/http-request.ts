import type { Context, Span } from '@opentelemetry/api'
import type { RequestRoot } from '@svc/core/muted-span'
import type { HttpRoot, HttpRoots } from './http-roots.ts'
import type { Served } from './served.ts'

/** A request and its root span, which is created when a span starts inside it that needs one. */
export class HttpRequest implements RequestRoot {
  route: string | undefined
  /** The context extracted from its headers. */
  readonly parent: Context
  readonly traceId: string
  readonly startTime = Date.now()
  readonly #roots: HttpRoots
  #served: Served
  #isDone = false
  #root: HttpRoot | undefined

  constructor(roots: HttpRoots, served: Served, parent: Context, traceId: string) {
    this.#roots = roots
    this.#served = served
    this.parent = parent
    this.traceId = traceId
  }

  open(scope?: string): Span | undefined {
    if (this.#root || !this.#roots.isMadeFor(scope)) return this.#root?.span
    this.#root = this.#roots.start(this, this.#served)
    if (this.#root && this.#isDone) this.#roots.close(this.#root, this.#served)
    return this.#root?.span
  }

  /** The response is done, or never will be. */
  done(): void {
    if (this.#isDone) return
    this.#isDone = true
    // A context is retained by everything that was opened in it, such as a pooled socket, and must not retain the
    // request.
    this.#served = this.#seen
    if (this.#root) this.#roots.close(this.#root, this.#served)
  }

  get #seen(): Served {
    const { method, path, route, status } = this.#served
    return { method, path, route: this.route ?? route, status }
  }
}
