import type { Context, Span, SpanOptions, Tracer } from '@opentelemetry/api'
import * as context from './context.ts'
import { getSpanContext, setSpan, wrapSpanContext } from './span.ts'
import { INVALID_SPAN_CONTEXT } from './span-context.ts'

/** Starts no span: returns one that stands for its parent. Its name is that of the span that was asked for. */
export function standIn(name: string, options?: SpanOptions | undefined, parent = context.active()): Span {
  const span = wrapSpanContext((!options?.root && getSpanContext(parent)) || INVALID_SPAN_CONTEXT)
  return Object.assign(span, { name })
}

/** Returns a tracer whose `startActiveSpan` is made of its `startSpan`. */
export function tracerOf(startSpan: Tracer['startSpan']): Tracer {
  return {
    startSpan,

    startActiveSpan<F extends (span: Span) => ReturnType<F>>(
      name: string,
      ...rest: [F] | [SpanOptions, F] | [SpanOptions, Context, F]
    ): ReturnType<F> {
      const work = rest.at(-1) as F
      const [options, parent = context.active()] = rest.slice(0, -1) as [SpanOptions?, Context?]
      const span = startSpan(name, options, parent)
      return context.with(setSpan(parent, span), work, undefined, span)
    },
  }
}
