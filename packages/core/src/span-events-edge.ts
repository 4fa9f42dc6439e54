import type * as node from './span-events.ts'

// Replaces span-events.ts in bundles for edge runtimes, which have no diagnostics channels.

export type { LeftOutReason, SpanLeftOut, SpanStarted } from './span-events.ts'

export const spanStarted: typeof node.spanStarted = undefined
export const spanLeftOut: typeof node.spanLeftOut = undefined
export const traceScored: typeof node.traceScored = undefined
export const publishLeftOut: typeof node.publishLeftOut = () => {}
