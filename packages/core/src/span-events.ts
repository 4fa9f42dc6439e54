import { builtin } from './builtin.ts'

/** A span started. */
export interface SpanStarted {
  /** The name of its instrumentation scope. */
  readonly scope: string
}

/** A span, or all spans of a scope, are not for the service. What is lost on the way is counted in `SvcHealth`. */
export interface SpanLeftOut {
  /** Undefined where it was decided before there was one. */
  readonly scope: string | undefined
  readonly reason: LeftOutReason
}

export type LeftOutReason =
  /** The scope is none of LLM work. */
  | 'default filter'
  /** `SVC_OTEL_BLOCKED_SCOPES` */
  | 'blocked scope'
  /** The function of the user returned false. */
  | 'shouldExportSpan'
  | 'unsampled'
  /** The scope is infrastructure, and none of its spans is recorded. Told once for each scope, not for each span. */
  | 'muted'
  /** An instrumentation of another vendor would record a call that ours record. */
  | 'duplicate'

const diagnostics = builtin('node:diagnostics_channel')

/**
 * What becomes of spans, for tools that ask (`svc doctor -- node app.js`). Node's diagnostics channels, because every
 * copy of this module finds the same ones, and nothing is made or published where nobody subscribed.
 */
export const spanStarted = diagnostics?.channel('svc:span:start')
export const spanLeftOut = diagnostics?.channel('svc:span:leave-out')

/** Tells who asked that a span is left out. Costs next to nothing where nobody did. */
export function tellLeftOut(scope: string | undefined, reason: LeftOutReason): void {
  if (spanLeftOut?.hasSubscribers) spanLeftOut.publish({ scope, reason } satisfies SpanLeftOut)
}
