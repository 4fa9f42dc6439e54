import { type Span, SpanKind, SpanStatusCode, type Tracer, type TracerProvider } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { GENERAL, NEXT_SCOPE, SDK_SCOPE } from '@svc/core/attributes'
import { VERSION } from '@svc/core/version'
import { INFRASTRUCTURE_SCOPES, matchesScope } from '@svc/otel/scopes'
import type { TraceIds } from '../trace-ids.ts'
import type { RootRequest } from './http-request.ts'
import { routeOfPath } from './route-of-path.ts'
import type { Describe, InvocationDescription, RequestDescription } from './served.ts'

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
  /** Requests whose response is in progress, by the id of their root. */
  readonly #open = new Map<string, RootRequest>()
  /** Requests whose response is done, but inside whose root no span was exported so far. A child may still end. */
  readonly #waiting = new Map<string, RootRequest>()
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
  start(request: RootRequest, seen: ReturnType<Describe>): Span | undefined {
    const tracer = this.#tracer
    if (!tracer) return undefined
    const { traceId, startTime, parent } = request
    const { name, attributes, links } = 'name' in seen ? seen : beginningOf(seen)
    const options = { kind: SpanKind.SERVER, startTime, attributes, links }
    const root = this.#ids.within(traceId, () => tracer.startSpan(name, options, parent))
    if (root.isRecording()) this.#open.set(root.spanContext().spanId, request)
    return root
  }

  /** Called when the response is done or never will be. Ends the root if a span inside was exported. */
  close(request: RootRequest, root: Span, seen: ReturnType<Describe>): void {
    const { spanId } = root.spanContext()
    if (!this.#open.delete(spanId)) return
    if ('name' in seen) complete(root, seen)
    else describe(root, seen)
    if (request.end()) return
    const oldest = this.#waiting.size < WAITING_LIMIT ? undefined : this.#waiting.keys().next().value
    if (oldest !== undefined) this.#waiting.delete(oldest)
    this.#waiting.set(spanId, request)
  }

  /** Called for every exported span: if its parent is a root, that root is exported too. */
  readonly exported = (span: ReadableSpan): void => {
    const parent = span.parentSpanContext?.spanId
    if (!parent) return
    const request = this.#open.get(parent) ?? this.#waiting.get(parent)
    request?.keep()
    this.#waiting.delete(parent)
  }

  /** Called before the process ends: ends roots with exported spans whose responses are still in progress. */
  flush(): void {
    for (const request of this.#open.values()) request.end()
  }
}

function beginningOf({ method, path, route = routeOfPath(path) }: RequestDescription) {
  const attributes = { [GENERAL.HTTP_REQUEST_METHOD]: method, [GENERAL.URL_PATH]: path }
  return { name: `${method} ${route}`, attributes, links: [] }
}

function complete(span: Span, { error }: InvocationDescription): void {
  if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
}

/** Names and attributes of the OpenTelemetry HTTP server conventions. */
function describe(span: Span, { method, route, status }: RequestDescription): void {
  if (route) span.updateName(`${method} ${route}`).setAttribute(GENERAL.HTTP_ROUTE, route)
  if (status === undefined) return
  span.setAttribute(GENERAL.HTTP_RESPONSE_STATUS_CODE, status)
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR, message: `HTTP ${status}` })
}
