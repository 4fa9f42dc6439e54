import type { Context, Span, SpanOptions, Tracer, TracerProvider } from '@opentelemetry/api'
import type * as api from './api.ts'
import { apiGlobal } from './api-global.ts'

// Replaces api.ts in bundles for edge runtimes, where OpenTelemetry's API takes 8 kB. Contexts, spans and what is
// registered are the same to every copy of the API. Unlike those, this one looks at no version.

export const createContextKey: typeof api.createContextKey = (description) => Symbol.for(description)

export const ROOT_CONTEXT: Context = contextOf(new Map())

function contextOf(values: Map<symbol, unknown>): Context {
  return {
    getValue: (key) => values.get(key),
    setValue: (key, value) => contextOf(new Map(values).set(key, value)),
    deleteValue: (key) => contextOf(new Map([...values].filter(([other]) => other !== key))),
  }
}

export const context: Pick<typeof api.context, 'active' | 'with'> = {
  active: () => apiGlobal()?.context?.active() ?? ROOT_CONTEXT,

  with(within, work, self, ...args) {
    const manager = apiGlobal()?.context
    return manager ? manager.with(within, work, self, ...args) : work.apply(self as never, args)
  },
}

const isId = (id: unknown, digits: number) =>
  typeof id === 'string' && id.length === digits && /^0*[1-9a-f][\da-f]*$/i.test(id)

export const isValidTraceId: typeof api.isValidTraceId = (id) => isId(id, 32)
export const isValidSpanId: typeof api.isValidSpanId = (id) => isId(id, 16)

export const isSpanContextValid: typeof api.isSpanContextValid = ({ traceId, spanId }) =>
  isValidTraceId(traceId) && isValidSpanId(spanId)

export const INVALID_SPAN_CONTEXT: typeof api.INVALID_SPAN_CONTEXT = {
  traceId: '0'.repeat(32),
  spanId: '0'.repeat(16),
  traceFlags: 0,
}

export const TraceFlags = { NONE: 0, SAMPLED: 1 } as const
export const SpanStatusCode = { UNSET: 0, OK: 1, ERROR: 2 } as const

const SPAN = createContextKey('OpenTelemetry Context Key SPAN')
const spanOf = (within: Context) => within.getValue(SPAN) as Span | undefined

export const trace: Pick<
  typeof api.trace,
  | 'getSpan'
  | 'setSpan'
  | 'deleteSpan'
  | 'getActiveSpan'
  | 'getSpanContext'
  | 'setSpanContext'
  | 'wrapSpanContext'
  | 'getTracerProvider'
> = {
  getSpan: spanOf,
  setSpan: (within, span) => within.setValue(SPAN, span),
  deleteSpan: (within) => within.deleteValue(SPAN),
  getActiveSpan: () => spanOf(context.active()),
  getSpanContext: (within) => spanOf(within)?.spanContext(),
  setSpanContext: (within, spanContext) => within.setValue(SPAN, trace.wrapSpanContext(spanContext)),

  wrapSpanContext(spanContext) {
    const self = () => span
    const span: Span = {
      spanContext: () => spanContext,
      isRecording: () => false,
      setAttribute: self,
      setAttributes: self,
      addEvent: self,
      addLink: self,
      addLinks: self,
      setStatus: self,
      updateName: self,
      recordException() {},
      end() {},
    }
    return span
  },

  getTracerProvider: () => registered() ?? LATER,
}

const registered = () => apiGlobal()?.trace as TracerProvider | undefined

/** For tracers that are taken before a provider is registered: they look for it at each span. */
const LATER: TracerProvider = {
  getTracer: (...scope) =>
    tracerOf((...span) => {
      const provider = registered()
      return provider ? provider.getTracer(...scope).startSpan(...span) : standIn(...span)
    }),
}

/** Starts no span: returns one that stands for its parent. */
export function standIn(_name: string, options?: SpanOptions | undefined, parent = context.active()): Span {
  return trace.wrapSpanContext((!options?.root && trace.getSpanContext(parent)) || INVALID_SPAN_CONTEXT)
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
      const options = rest.length > 1 ? (rest[0] as SpanOptions | undefined) : undefined
      const parent = (rest.length > 2 ? (rest[1] as Context | undefined) : undefined) ?? context.active()
      const span = startSpan(name, options, parent)
      return context.with(trace.setSpan(parent, span), work, undefined, span)
    },
  }
}
