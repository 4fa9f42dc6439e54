import type { Context, Tracer, TracerOptions, TracerProvider } from '@opentelemetry/api'
import { context, INVALID_SPAN_CONTEXT, isSpanContextValid, trace } from '@svc/core/api'
import { standIn, tracerOf } from '@svc/core/api-edge'
import { linkedToRefused } from '@svc/core/remote-parent'
import { isTracingSuppressed } from '@svc/core/suppress-tracing'
import { EdgeSpan, type EdgeSpanOrigin } from './edge-span.ts'

export interface EdgeTracerProviderOptions extends Omit<EdgeSpanOrigin, 'scope'> {
  onStart(span: EdgeSpan, parent: Context): void
  /** Returns whether the spans of a scope are not recorded: a span of it stands for its parent. */
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
    // What starts under a muted span hangs from the nearest recorded ancestor.
    if (isMuted(name)) return tracerOf(standIn)
    const scope = { name, ...(version && { version }), ...(options?.schemaUrl && { schemaUrl: options.schemaUrl }) }
    const origin: EdgeSpanOrigin = { scope, resource, onEnd }
    return tracerOf((spanName, options, parent = context.active()) => {
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

function validSpan(parent: Context) {
  const above = trace.getSpanContext(parent)
  return above && isSpanContextValid(above) ? above : undefined
}

function randomHex(bytes: number): string {
  let text = ''
  for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) text += byte.toString(16).padStart(2, '0')
  return text
}
