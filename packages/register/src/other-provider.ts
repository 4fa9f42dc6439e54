import { type TracerProvider, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { type ModuleTarget, paths } from '@svc/instrumentation/hook/target'

interface ApiGlobal {
  readonly version?: string
  readonly trace?: { getDelegate?(): object | undefined }
}

/**
 * Why no provider can be registered in this process, with the remedy; undefined when the place is free. The API keeps
 * what is registered in one global, stamped with the version of whoever came first.
 */
export function occupied(
  api = (globalThis as unknown as Record<symbol, ApiGlobal | undefined>)[Symbol.for('opentelemetry.js.api.1')],
): string | undefined {
  if (!api?.trace) return undefined
  const name = classOf(api.trace.getDelegate?.()) ?? 'of an unknown kind'
  const remedy = name.startsWith('Sentry')
    ? 'Say skipOpenTelemetrySetup: true in Sentry.init: its errors stay, and the traces come to svc.'
    : 'Put --import @svc/register before it, or add `new SvcSpanProcessor()` from @svc/otel to its span processors.'
  return `another OpenTelemetry provider (${name}) was registered first, so svc records nothing. ${remedy}`
}

/** Said when the API refuses our provider although none is registered: it was stamped by another version. */
export function refused(
  api = (globalThis as unknown as Record<symbol, ApiGlobal | undefined>)[Symbol.for('opentelemetry.js.api.1')],
): string {
  return (
    `@opentelemetry/api ${api?.version ?? 'of another version'} was loaded first and refuses newer packages, so svc ` +
    'records nothing. Update it, or put --import @svc/register before what loads it.'
  )
}

/**
 * Reports a provider that somebody registers after ours. The API refuses it, and says so only to its own diagnostics,
 * which nobody listens to by default.
 *
 * @returns takes it back
 */
export function reportLateProviders(report: (line: string) => void): () => void {
  copies.report = report
  watchCopy(trace)
  return () => {
    copies.report = undefined
    for (const [copy, setGlobalTracerProvider] of copies.watched) Object.assign(copy, { setGlobalTracerProvider })
    copies.watched.clear()
  }
}

/** The API as applications load it: in copies of their own, as ES modules and as CommonJS. */
export const API_COPIES: ModuleTarget = {
  package: '@opentelemetry/api',
  files: [...paths('dist/index', ['.mjs', '.cjs']), ...paths('build/', ['src', 'esm', 'esnext'], '/index.js')],
  apply: (exports) => watchCopy((exports as { readonly trace: TraceAPI }).trace),
}

type TraceAPI = typeof trace

/** What is watched of the API, and who wants to know. */
const copies: {
  report: ((line: string) => void) | undefined
  watched: Map<TraceAPI, TraceAPI['setGlobalTracerProvider']>
} = { report: undefined, watched: new Map() }

function watchCopy(copy: TraceAPI): void {
  if (copies.watched.has(copy)) return
  const { setGlobalTracerProvider } = copy
  copies.watched.set(copy, setGlobalTracerProvider)
  copy.setGlobalTracerProvider = (provider: TracerProvider) => {
    const isTaken = setGlobalTracerProvider.call(copy, provider)
    if (!isTaken) copies.report?.(late(provider))
    return isTaken
  }
}

function late(provider: TracerProvider): string {
  return (
    `another OpenTelemetry provider (${classOf(provider) ?? 'of an unknown kind'}) was registered after svc, so it gets ` +
    'no spans. Name its destination in OTEL_EXPORTER_OTLP_ENDPOINT, which svc sends all spans to as well; or leave the ' +
    'preload out and add `new SvcSpanProcessor()` from @svc/otel to its span processors.'
  )
}

interface Sentry {
  readonly version?: string
  readonly [version: string]: unknown
}

interface SentryScope {
  getClient?(): { readonly traceProvider?: unknown } | undefined
}

/**
 * Reports Sentry that was started after svc, when it asks our provider for a tracer: it brings an API of its own, whose
 * registrations we do not see. Who said `skipOpenTelemetrySetup: true` knows of it.
 */
export function reportSentry(report: (line: string) => void): void {
  attempt('ask Sentry for its provider', () => {
    const { __SENTRY__ } = globalThis as { __SENTRY__?: Sentry }
    const carrier = __SENTRY__?.[__SENTRY__.version ?? ''] as { defaultCurrentScope?: SentryScope } | undefined
    if (carrier?.defaultCurrentScope?.getClient?.()?.traceProvider === undefined) return
    report(
      'Sentry was started after svc, which has the one OpenTelemetry provider, so Sentry gets errors and no traces. Say ' +
        'skipOpenTelemetrySetup: true in Sentry.init if that is what you want; to send it the traces as well, name its ' +
        'OTLP endpoint in OTEL_EXPORTER_OTLP_TRACES_ENDPOINT.',
    )
  })
}

/** Bundlers number the names of classes: TracerProvider$1. */
function classOf(provider: object | undefined): string | undefined {
  return provider?.constructor?.name.replace(/\$\d+$/, '')
}
