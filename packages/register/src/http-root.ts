import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Context, type Span, SpanKind, SpanStatusCode, type Tracer, type TracerProvider } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { VERSION } from '@svc/core/version'
import type { RequestRoot } from './muted-span.ts'
import type { TraceIds } from './trace-ids.ts'

const SCOPE = '@svc/register'
/** Roots kept waiting for a child or for their response; beyond it the oldest is forgotten. */
const OPEN_LIMIT = 10_000

/**
 * The HTTP request as the root observation (`SVC_HTTP_ROOT=true`): `POST /chat`, route and status. A root is made
 * when the first span inside it starts, and ended, so exported, only once something inside it was exported.
 */
export class HttpRoots {
  readonly #ids: TraceIds
  readonly #open = new Map<string, HttpRoot>()
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
    const end = () => root?.close(Date.now(), request, response)
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
    if (parent) this.#open.get(parent)?.keep()
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
    const { spanId } = span.spanContext()
    const root = new HttpRoot(span, () => this.#open.delete(spanId))
    if (this.#open.size >= OPEN_LIMIT) this.#open.delete(this.#open.keys().next().value as string)
    this.#open.set(spanId, root)
    return root
  }
}

class HttpRoot {
  readonly span: Span
  readonly #forget: () => void
  #kept = false
  #endTime: number | undefined
  #done = false

  constructor(span: Span, forget: () => void) {
    this.span = span
    this.#forget = forget
  }

  keep(): void {
    this.#kept = true
    this.#settle()
  }

  close(endTime: number, request?: IncomingMessage, response?: ServerResponse): void {
    if (this.#endTime === undefined && request && response) describe(this.span, request, response)
    this.#endTime ??= endTime
    this.#settle()
  }

  #settle(): void {
    if (this.#done || !this.#kept || this.#endTime === undefined) return
    this.#done = true
    this.#forget()
    this.span.end(this.#endTime)
  }
}

/** Names and attributes of the OpenTelemetry HTTP server conventions. */
function describe(span: Span, request: IncomingMessage, response: ServerResponse): void {
  const route = routeOf(request)
  if (route) span.updateName(`${request.method} ${route}`).setAttribute('http.route', route)
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
