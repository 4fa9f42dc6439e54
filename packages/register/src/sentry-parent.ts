import type { Context, Span } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { withSpan } from '@svc/core/flat-context'
import { MutedSpan, REQUEST, traceOnly } from '@svc/core/muted-span'

/**
 * Whether Sentry 10 put a span that is not recorded into the context: the caller in a `sentry-trace` header, or a child
 * of it. It does so also if another provider is registered. Most of them say "not sampled", because clients send the
 * header with every request and sample a few for Sentry, which decides nothing for svc.
 */
export function isOfSentry(span: Span): boolean {
  if (!('__SENTRY__' in globalThis)) return false
  // Sentry's own data are in the trace state, which is empty if there are none. That of W3C headers is so only if none of
  // its members is valid.
  const state = attempt('read a trace state', stateOf, span)
  return state !== undefined && /^$|(?:^|,)sentry\./.test(state)
}

/** Anything may be in a context as its span: data that was read from JSON, or an object that only has a span context. */
function stateOf(span: Span): string | undefined {
  return span.isRecording() ? undefined : span.spanContext().traceState?.serialize()
}

/** Returns the context without Sentry's span: with the request in which it runs, otherwise with only the trace id. */
export function withoutSentry(context: Context, { traceId }: { readonly traceId: string }): Context {
  const request = context.getValue(REQUEST) as MutedSpan | undefined
  return withSpan(context, request ?? new MutedSpan(traceOnly(traceId)))
}
