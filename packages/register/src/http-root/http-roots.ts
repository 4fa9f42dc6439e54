import { type Span, SpanKind, SpanStatusCode, type Tracer, type TracerProvider } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { GENERAL, NEXT_SCOPE, SDK_SCOPE } from '@svc/core/attributes'
import { VERSION } from '@svc/core/version'
import { INFRASTRUCTURE_SCOPES, matchesScope } from '@svc/otel/scopes'
import type { TraceIds } from '../trace-ids.ts'
import { HttpRequest } from './http-request.ts'
import { routeOfPath } from './route-of-path.ts'
import type { OpenRequest, Served } from './served.ts'

const SCOPE = '@svc/register'
/** Most roots that wait for a late child after their response. Beyond that the oldest is dropped. */
const WAITING_LIMIT = 1_000

/**
 * The HTTP request as the root observation (`SVC_HTTP_ROOT`): `POST /chat/:id`, route and status. A root is made when
 * the first span inside it starts, and ended, so exported, only once something inside it was exported.
 *
 * By default (`auto`) an observation gets no such root: an application or framework adapter that creates an observation
 * for a request has chosen the root itself. Spans of instrumentations outside of observations get one.
 */
export class HttpRoots {
  readonly #ids: TraceIds
  readonly #isAlways: boolean
  readonly #sends: (scope: string) => boolean
  /** Roots whose response is in progress. */
  readonly #open = new Map<string, HttpRoot>()
  /** Roots whose response is done, but inside which no span was exported so far. A child may still end. */
  readonly #waiting = new Map<string, HttpRoot>()
  /** The results of {@link isMadeFor} by scope, as far as they cannot change. */
  readonly #madeFor = new Map<string, boolean>()
  #tracer: Tracer | undefined

  /** @param sends whether the spans of an infrastructure scope are sent. Default: none are */
  constructor(ids: TraceIds, mode: 'auto' | true, sends: (scope: string) => boolean = () => false) {
    this.#ids = ids
    this.#isAlways = mode === true
    this.#sends = sends
  }

  /**
   * Sets the provider that starts the roots. Not a parameter of the constructor, because the provider is created with a
   * processor that already calls {@link exported}.
   */
  use(provider: TracerProvider): void {
    this.#tracer = provider.getTracer(SCOPE, VERSION)
  }

  readonly openRequest: OpenRequest = (served, parent, traceId) => new HttpRequest(this, served, parent, traceId)

  /** Whether a span of this scope gets a root if it has no parent. */
  isMadeFor(scope: string | undefined): boolean {
    if (this.#isAlways) return true
    if (scope === undefined) return false
    // A span of Next needs our root only if it is exported itself: behind a proxy, Next's own root has ended
    // when the route is known. Not cached, because options that are attached later may change the answer.
    if (scope === NEXT_SCOPE) return this.#sends(scope)
    const known = this.#madeFor.get(scope)
    if (known !== undefined) return known
    const made = scope !== SDK_SCOPE && !matchesScope(scope, INFRASTRUCTURE_SCOPES)
    this.#madeFor.set(scope, made)
    return made
  }

  /** Starts the root of a request, when the first span that needs it starts; undefined before {@link use}. */
  start(request: HttpRequest, served: Served): HttpRoot | undefined {
    const tracer = this.#tracer
    if (!tracer) return undefined
    const { traceId, startTime, parent, route = served.route } = request
    const { method, path } = served
    const attributes = { [GENERAL.HTTP_REQUEST_METHOD]: method, [GENERAL.URL_PATH]: path }
    const options = { kind: SpanKind.SERVER, startTime, attributes }
    const name = `${method} ${route ?? routeOfPath(path)}`
    const root = new HttpRoot(this.#ids.within(traceId, () => tracer.startSpan(name, options, parent)))
    if (root.span.isRecording()) this.#open.set(root.id, root)
    return root
  }

  /** Called when the response is done or never will be. Ends the root if a span inside was exported. */
  close(root: HttpRoot, served: Served): void {
    if (!this.#open.delete(root.id)) return
    describe(root.span, served)
    root.close(Date.now())
    if (root.ended) return
    const oldest = this.#waiting.size < WAITING_LIMIT ? undefined : this.#waiting.keys().next().value
    if (oldest !== undefined) this.#waiting.delete(oldest)
    this.#waiting.set(root.id, root)
  }

  /** Called for every exported span: if its parent is a root, that root is exported too. */
  exported(span: ReadableSpan): void {
    const parent = span.parentSpanContext?.spanId
    if (!parent) return
    const root = this.#open.get(parent) ?? this.#waiting.get(parent)
    root?.keep()
    this.#waiting.delete(parent)
  }

  /** Called before the process ends: ends roots with exported spans whose responses are still in progress. */
  flush(): void {
    for (const root of this.#open.values()) root.close(Date.now())
  }
}

/** Ends the root once its response is done and a span inside was exported, in any order. */
export class HttpRoot {
  readonly span: Span
  readonly id: string
  ended = false
  #kept = false
  #endTime: number | undefined

  constructor(span: Span) {
    this.span = span
    this.id = span.spanContext().spanId
  }

  /** Called when a span inside was exported. */
  keep(): void {
    this.#kept = true
    this.#settle()
  }

  /** @param endTime when the response was done, in milliseconds since the epoch */
  close(endTime: number): void {
    this.#endTime ??= endTime
    this.#settle()
  }

  #settle(): void {
    if (this.ended || !this.#kept || this.#endTime === undefined) return
    this.ended = true
    this.span.end(this.#endTime)
  }
}

/** Names and attributes of the OpenTelemetry HTTP server conventions. */
function describe(span: Span, { method, route, status }: Served): void {
  if (route) span.updateName(`${method} ${route}`).setAttribute(GENERAL.HTTP_ROUTE, route)
  if (status === undefined) return
  span.setAttribute(GENERAL.HTTP_RESPONSE_STATUS_CODE, status)
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR, message: `HTTP ${status}` })
}
