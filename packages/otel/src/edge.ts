// For the edge functions of `@svc/next`.

export type { MaskFunction } from './mask.ts'
export type { SvcSpanProcessorParams } from './params.ts'
export { EDGE } from './platform.ts'
export { laterRedaction } from './redaction/options.ts'
export type { InstrumentationScope, ReadableSpan, Resource, SpanExporter, TimedEvent } from './sdk.ts'
export { reportSettled } from './settled-options.ts'
export { SpanFlow } from './span-flow.ts'
