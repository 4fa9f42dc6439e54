import { builtin } from './builtin.ts'

/** Published when a span starts. */
export interface SpanStarted {
  /** The name of its instrumentation scope. */
  readonly scope: string
}

/**
 * Published when a span, or all spans of a scope, are not exported to the service. `SvcHealth` counts losses in
 * delivery.
 */
export interface SpanLeftOut {
  /** Undefined if this was decided before the scope was known. */
  readonly scope: string | undefined
  readonly reason: LeftOutReason
}

export type LeftOutReason =
  /** The scope is not known for LLM work. */
  | 'default filter'
  /** `SVC_OTEL_BLOCKED_SCOPES` */
  | 'blocked scope'
  /** The user's function returned false. */
  | 'shouldExportSpan'
  | 'unsampled'
  /** The scope is infrastructure, and none of its spans is recorded. Published once per scope, not per span. */
  | 'muted'
  /** A third-party instrumentation would record a call that ours record already. */
  | 'duplicate'
  /** No rule of `SVC_KEEP` keeps its trace. */
  | 'not kept'

/** Published when a score of a trace is created. */
export interface TraceScored {
  readonly traceId: string
}

const diagnostics = builtin('node:diagnostics_channel')

/**
 * Publishes span decisions for tools such as `svc doctor -- node app.js`. Uses Node's diagnostics channels: every copy of
 * this module finds the same channel, and without subscribers nothing is allocated or published.
 */
export const spanStarted = /* @__PURE__ */ diagnostics?.channel('svc:span:start')
export const spanLeftOut = diagnostics?.channel('svc:span:leave-out')
/** For `SVC_KEEP`, whose rules have traces with a score kept. */
export const traceScored = /* @__PURE__ */ diagnostics?.channel('svc:trace:score')

/** Publishes that a span is left out. Costs next to nothing without subscribers. */
export function publishLeftOut(scope: string | undefined, reason: LeftOutReason): void {
  if (spanLeftOut?.hasSubscribers) spanLeftOut.publish({ scope, reason } satisfies SpanLeftOut)
}
