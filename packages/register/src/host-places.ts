import {
  type Context,
  context,
  INVALID_TRACEID,
  isSpanContextValid,
  type Span,
  type SpanContext,
  type SpanOptions,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { attempt } from '@svc/core/attempt'
import { isMuted } from '@svc/core/muted-span'
import { behind } from '@svc/core/shown'
import { ShownContext } from './shown-contexts.ts'

/** Where a span of the application is in our trace: it does not know our spans. */
export interface HostPlace {
  readonly traceId: string
  readonly parent: SpanContext | undefined
}

/** A tracer of the SDK, 1.x to 3.x. */
export interface SdkTracer extends Tracer {
  _idGenerator?: { generateTraceId(): string; generateSpanId(): string }
}

/** Where spans of the application's own provider are: for that provider as without us, and in our trace among ours. */
export class HostPlaces {
  /** The resource of our spans, by which they are recognized. */
  readonly #resource: () => object | undefined
  readonly #watched = new WeakSet<Tracer>()
  /** For a span of ours, the nearest span of the application around it. */
  readonly #around = new WeakMap<Span, Span>()
  readonly #shown = new WeakMap<Context, Context>()
  #place: HostPlace | undefined

  constructor(resource: () => object | undefined) {
    this.#resource = resource
  }

  /** Remembers the application's span around one of ours. */
  started(span: Span, above: Span): void {
    const around = this.#isOurSpan(above) ? this.#around.get(above) : above
    if (around) this.#around.set(span, around)
  }

  /** Returns what the application sees of a context: it is in its own span, not in one of ours. */
  shown(context: Context): Context {
    const span = trace.getSpan(context)
    if (!span || !this.#isOurSpan(span)) return context
    const known = this.#shown.get(context)
    if (known) return known
    const shown = new ShownContext(context, this.#around.get(span))
    this.#shown.set(context, shown)
    return shown
  }

  /** Returns the place of the span that just starts; undefined for its own. */
  take(): HostPlace | undefined {
    const place = this.#place
    this.#place = undefined
    return place
  }

  /** Has a tracer of the application see only what it sees without us: of our spans it knows nothing. */
  watch(tracer: SdkTracer, scope: string, isDefaultIds: boolean): Tracer {
    if (this.#watched.has(tracer)) return tracer
    this.#watched.add(tracer)
    const { startSpan, _idGenerator: ids } = tracer
    hide(tracer, 'startSpan', (name: string, options?: SpanOptions, given: Context = context.active()) => {
      const parent = behind(given)
      const above = options?.root ? undefined : trace.getSpan(parent)
      if (!above || !this.#isOurSpan(above)) return startSpan.call(tracer, name, options, parent)
      const around = this.#around.get(above)
      this.#place = attempt('place a span', placeIn, above, scope)
      try {
        return startSpan.call(tracer, name, options, around ? trace.setSpan(parent, around) : trace.deleteSpan(parent))
      } finally {
        this.#place = undefined
      }
    })
    // An id of the application's own making may mean something.
    if (ids && (isDefaultIds || /^RandomIdGenerator/.test(ids.constructor?.name))) {
      tracer._idGenerator = {
        generateTraceId: () => this.#place?.traceId ?? ids.generateTraceId(),
        generateSpanId: () => ids.generateSpanId(),
      }
    }
    return tracer
  }

  #isOurSpan(span: Span): boolean {
    if (isMuted(span)) return true
    const { resource } = span as Partial<ReadableSpan>
    return resource !== undefined && resource === this.#resource()
  }
}

function placeIn(above: Span, scope: string): HostPlace | undefined {
  const root = isMuted(above) ? above.request?.open(scope) : undefined
  const spanContext = (root ?? above).spanContext()
  if (spanContext.traceId === INVALID_TRACEID) return undefined
  return { traceId: spanContext.traceId, parent: isSpanContextValid(spanContext) ? spanContext : undefined }
}

/** Replaces a method of an object that is not ours, where nobody who prints the object sees it. */
export function hide(target: object, name: string, value: (...args: never[]) => unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false })
}
