import { type Context, context, type Span, type SpanOptions, type Tracer, trace } from '@opentelemetry/api'
import { abandonWithout } from '@svc/core/open-calls'
import { keepTrack, openSpanOf, standFor } from './open-span.ts'

/**
 * The same tracer, whose spans end however the call does. What `startActiveSpan` runs gets a stand-in of the span, which
 * nothing else holds: once that is collected, nobody can end the span any more, and it ends.
 */
export function tracked(tracer: Tracer): Tracer {
  const startSpan = (name: string, options: SpanOptions = {}, parent: Context = context.active()): Span => {
    const span = tracer.startSpan(name, options, parent)
    keepTrack(span, parent)
    return span
  }
  const startActiveSpan = (name: string, ...rest: readonly unknown[]): unknown => {
    const work = rest.at(-1) as (span: Span) => unknown
    const [options, parent = context.active()] = rest.slice(0, -1) as [SpanOptions?, Context?]
    const span = startSpan(name, options, parent)
    return context.with(trace.setSpan(parent, span), work, undefined, standInOf(span))
  }
  return { startSpan, startActiveSpan: startActiveSpan as Tracer['startActiveSpan'] }
}

function standInOf(span: Span): Span {
  const open = openSpanOf(span)
  if (!open) return span
  const standIn: Span = new Proxy(span, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...values: unknown[]) => {
        const result: unknown = Reflect.apply(member, target, values)
        return result === target ? standIn : result
      }
    },
  })
  standFor(standIn, open)
  abandonWithout(standIn, open)
  return standIn
}
