import type * as api from './api.ts'
import * as context from './api-edge/context.ts'
import * as SpanStatusCode from './api-edge/span-status-code.ts'
import * as trace from './api-edge/trace.ts'
import * as TraceFlags from './api-edge/trace-flags.ts'

// Replaces api.ts in bundles for edge runtimes, where OpenTelemetry's API takes 8 kB. Contexts, spans and what is
// registered are the same to every copy of the API. Unlike those, this one looks at no version. Modules stand for its
// objects, so that a bundle has only what it uses of them.

export { ROOT_CONTEXT } from './api-edge/context.ts'
export { INVALID_SPAN_CONTEXT, isSpanContextValid, isValidSpanId, isValidTraceId } from './api-edge/span-context.ts'
export { standIn, tracerOf } from './api-edge/tracer.ts'
export { context, SpanStatusCode, TraceFlags, trace }

export const createContextKey: typeof api.createContextKey = (description) => Symbol.for(description)
