import type { Context, Span, SpanOptions, Tracer } from '@opentelemetry/api'
import { shielded, unwatched } from './outside.ts'

/** Starts spans of one scope, with ids and clocks read {@link unwatched}. */
export interface SpanStarter {
  startSpan(name: string, options: SpanOptions | undefined, parent: Context): Span
}

/** Starts spans by a tracer of the SDK, and makes them read clocks {@link unwatched}. */
export class ShieldingTracer implements SpanStarter {
  readonly #inner: Tracer

  constructor(inner: Tracer) {
    this.#inner = inner
  }

  startSpan(name: string, options: SpanOptions | undefined, parent: Context): Span {
    return unwatched(() => shielded(this.#inner.startSpan(name, options, parent)))
  }
}
