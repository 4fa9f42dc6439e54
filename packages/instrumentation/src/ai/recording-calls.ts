import { context, type Span, type Tracer } from '@opentelemetry/api'
import { suppressCalls } from '../calls/suppress.ts'

/** Names of the spans in which a provider is called, which may call the client of a vendor. */
const OF_CALLS = /\.do(Generate|Stream|Embed)$/

/** The same tracer; what runs in its span of a model's call makes no second span of that. */
export function recordingCalls(tracer: Tracer): Tracer {
  const startActiveSpan = (name: string, ...rest: readonly unknown[]): unknown => {
    const work = rest.at(-1) as (span: Span) => unknown
    const within = (span: Span) => context.with(suppressCalls(context.active()), work, undefined, span)
    return Reflect.apply(tracer.startActiveSpan, tracer, [
      name,
      ...rest.slice(0, -1),
      OF_CALLS.test(name) ? within : work,
    ])
  }
  return {
    startSpan: (...given) => tracer.startSpan(...given),
    startActiveSpan: startActiveSpan as Tracer['startActiveSpan'],
  }
}
