import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Context, type Span, SpanKind, SpanStatusCode, type Tracer, type TracerProvider } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { RequestRoot } from '@svc/core/muted-span'
import { VERSION } from '@svc/core/version'
import type { TraceIds } from './trace-ids.ts'

const SCOPE = '@svc/register'
/** Roots that wait for a late child although their response is done; beyond it the oldest is forgotten. */
const WAITING_LIMIT = 1_000

/**
 * The HTTP request as the root observation (`SVC_HTTP_ROOT=true`): `POST /chat`, route and status. A root is made
 * when the first span inside it starts, and ended, so exported, only once something inside it was exported.
 */
export class HttpRoots {
  readonly #ids: TraceIds
  /** Roots whose response is under way. */
  readonly #open = new Map<string, HttpRoot>()
  /** Roots whose response is done, and of which nothing inside was exported yet. */
  readonly #waiting = new Map<string, HttpRoot>()
  #tracer: Tracer | undefined

  constructor(ids: TraceIds) {
    this.#ids = ids
  }

  /** The provider exists only after the processor that reports to {@link exported}. */
  use(provider: TracerProvider): void {
    this.#tracer = provider.getTracer(SCOPE, VERSION)
  }

  readonly openRequest = (
    request: IncomingMessage,
    response: ServerResponse,
    parent: Context,
    traceId: string,
  ): RequestRoot => {
    const startTime = Date.now()
    let root: HttpRoot | undefined
    const end = () => root && this.#close(root, request, response)
    response.once('close', end)
    return {
      open: () => {
        if (!this.#tracer) return undefined
        root ??= this.#start(request, startTime, parent, traceId)
        if (response.closed) end()
        return root.span
      },
    }
  }

  /** To be told of every exported span: its parent may be a root that waits for exactly this. */
  exported(span: ReadableSpan): void {
    const parent = span.parentSpanContext?.spanId
    if (!parent) return
    const root = this.#open.get(parent) ?? this.#waiting.get(parent)
    root?.keep()
    this.#waiting.delete(parent)
  }

  /** Ends the roots that have something to show, although their responses are still under way. */
  flush(): void {
    for (const root of this.#open.values()) root.close(Date.now())
  }

  #start(request: IncomingMessage, startTime: number, parent: Context, traceId: string): HttpRoot {
    const span = this.#ids.within(traceId, () =>
      (this.#tracer as Tracer).startSpan(
        `${request.method} ${pathOf(request)}`,
        {
          kind: SpanKind.SERVER,
          startTime,
          attributes: { 'http.request.method': request.method ?? '', 'url.path': pathOf(request) },
        },
        parent,
      ),
    )
    const root = new HttpRoot(span)
    if (span.isRecording()) this.#open.set(root.id, root)
    return root
  }

  #close(root: HttpRoot, request: IncomingMessage, response: ServerResponse): void {
    if (!this.#open.delete(root.id)) return
    describe(root.span, request, response)
    root.close(Date.now())
    if (root.ended) return
    const oldest = this.#waiting.size < WAITING_LIMIT ? undefined : this.#waiting.keys().next().value
    if (oldest !== undefined) this.#waiting.delete(oldest)
    this.#waiting.set(root.id, root)
  }
}

/** Ends, so is exported, once its response is done and something inside it was exported, in whatever order. */
class HttpRoot {
  readonly span: Span
  readonly id: string
  ended = false
  #kept = false
  #endTime: number | undefined

  constructor(span: Span) {
    this.span = span
    this.id = span.spanContext().spanId
  }

  keep(): void {
    this.#kept = true
    this.#settle()
  }

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
function describe(span: Span, request: IncomingMessage, response: ServerResponse): void {
  const route = routeOf(request)
  if (route) span.updateName(`${request.method} ${route}`).setAttribute('http.route', route)
  // A client that went away before the answer got no status.
  if (!response.headersSent) return
  span.setAttribute('http.response.status_code', response.statusCode)
  if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR, message: `HTTP ${response.statusCode}` })
}

/** The matched route, where the framework leaves it on the request: Express does, Fastify hides it elsewhere. */
function routeOf(request: IncomingMessage): string | undefined {
  const { route, baseUrl } = request as IncomingMessage & { route?: { path?: unknown }; baseUrl?: unknown }
  if (typeof route?.path !== 'string') return undefined
  return (typeof baseUrl === 'string' ? baseUrl : '') + route.path
}

function pathOf(request: IncomingMessage): string {
  // Express rewrites `url` inside routers and keeps the whole in `originalUrl`.
  const { originalUrl } = request as IncomingMessage & { originalUrl?: unknown }
  const url = typeof originalUrl === 'string' ? originalUrl : (request.url ?? '/')
  return url.split('?', 1)[0] || '/'
}
