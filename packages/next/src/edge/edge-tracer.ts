import {
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  type Span,
  type SpanOptions,
  type Tracer,
  type TracerOptions,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { withSpan } from '@svc/core/flat-context'
import { linkedToRefused } from '@svc/core/remote-parent'
import { isTracingSuppressed } from '@svc/core/suppress-tracing'
import { EdgeSpan, type SpanOrigin } from './edge-span.ts'

export interface EdgeTracerProviderOptions extends Omit<SpanOrigin, 'scope'> {
  onStart(span: EdgeSpan, parent: Context): void
  /** Whether the spans of a scope are not recorded: a span of it stands for its parent. */
  isMuted(scope: string): boolean
}

/** Records every span whose parent is recorded. */
export class EdgeTracerProvider implements TracerProvider {
  readonly #options: EdgeTracerProviderOptions

  constructor(options: EdgeTracerProviderOptions) {
    this.#options = options
  }

  getTracer(name: string, version?: string, options?: TracerOptions): Tracer {
    const { onStart, onEnd, resource, isMuted } = this.#options
    if (isMuted(name)) return activating(startMuted)
    const scope = { name, ...(version && { version }), ...(options?.schemaUrl && { schemaUrl: options.schemaUrl }) }
    const origin: SpanOrigin = { scope, resource, onEnd }
    return activating((spanName, options, parent = context.active()) => {
      const given = options ?? {}
      if (isTracingSuppressed(parent)) return trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
      const above = given.root ? undefined : validSpan(parent)
      const sampled = above ? above.traceFlags & 1 : 1
      const spanContext = {
        traceId: above?.traceId ?? randomHex(16),
        spanId: randomHex(8),
        traceFlags: sampled,
        ...(above?.traceState && { traceState: above.traceState }),
      }
      if (!sampled) return trace.wrapSpanContext(spanContext)
      const span = new EdgeSpan(spanName, spanContext, above, linkedToRefused(given, parent) ?? given, origin)
      onStart(span, given.root ? trace.deleteSpan(parent) : parent)
      return span
    })
  }
}

type StartSpan = Tracer['startSpan']

/** What starts under a muted span hangs from the nearest recorded ancestor. */
const startMuted: StartSpan = (_name, options, parent = context.active()) =>
  trace.wrapSpanContext((!options?.root && trace.getSpanContext(parent)) || INVALID_SPAN_CONTEXT)

/** `startActiveSpan` in terms of `startSpan`. */
function activating(startSpan: StartSpan): Tracer {
  return {
    startSpan,

    startActiveSpan<F extends (span: Span) => ReturnType<F>>(
      name: string,
      ...rest: [F] | [SpanOptions, F] | [SpanOptions, Context, F]
    ): ReturnType<F> {
      const fn = rest.at(-1) as F
      const options = rest.length > 1 ? (rest[0] as SpanOptions | undefined) : undefined
      const parent = (rest.length > 2 ? (rest[1] as Context | undefined) : undefined) ?? context.active()
      const span = startSpan(name, options, parent)
      return context.with(withSpan(parent, span), fn, undefined, span)
    },
  }
}

function validSpan(parent: Context) {
  const above = trace.getSpanContext(parent)
  return above && isSpanContextValid(above) ? above : undefined
}

function randomHex(bytes: number): string {
  let text = ''
  for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) text += byte.toString(16).padStart(2, '0')
  return text
}
