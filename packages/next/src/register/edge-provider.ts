import {
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  type Span,
  type SpanOptions,
  type Tracer,
  type TracerOptions,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { withSpan } from '@svc/core/flat-context'
import { linkedToRefused } from '@svc/core/remote-parent'

/** Hands out a tracer that records nothing for scopes nobody wants, and one of the SDK's for all others. */
export class MutingProvider implements TracerProvider {
  readonly #recording: TracerProvider
  readonly #isMuted: (scope: string) => boolean

  constructor(recording: TracerProvider, isMuted: (scope: string) => boolean) {
    this.#recording = recording
    this.#isMuted = isMuted
  }

  getTracer(name: string, version?: string, options?: TracerOptions): Tracer {
    if (this.#isMuted(name)) return muting
    return activating(linking(this.#recording.getTracer(name, version, options)))
  }
}

type StartSpan = Tracer['startSpan']

/** A span of it stands for its parent: what starts under it hangs from the nearest recorded ancestor. */
const muting: Tracer = activating((_name, options, parent = context.active()) =>
  trace.wrapSpanContext((!options?.root && trace.getSpanContext(parent)) || INVALID_SPAN_CONTEXT),
)

/** Its roots link to the caller whose trace they do not continue. */
function linking(recording: Tracer): StartSpan {
  return (name, options, parent = context.active()) =>
    recording.startSpan(name, linkedToRefused(options, parent), parent)
}

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
