import { createRequire } from 'node:module'
import { DiagLogLevel, diag, type ProxyTracerProvider, type TracerProvider, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { type ModuleTarget, paths } from '@svc/instrumentation/hook/target'
import { apiGlobal, takeVersion } from './api-global.ts'
import { findPackage } from './optional-packages.ts'

/**
 * Why no provider can be registered in this process, with the remedy; undefined when the place is free. The API keeps
 * what is registered in one global, stamped with the version of whoever came first.
 */
export function occupied(api = apiGlobal()): string | undefined {
  if (!api?.trace) return undefined
  const provider = api.trace.getDelegate?.()
  const isSentrys = provider !== undefined && provider === sentry()?.client.traceProvider
  const name = isSentrys ? 'of Sentry' : nameOf(provider)
  const remedy = isSentrys
    ? `${WITHOUT_SENTRYS}: its errors stay, and the traces come to svc.`
    : 'Put --import @svc/register before it, or add `new SvcSpanProcessor()` from @svc/otel to its span processors.'
  return `another OpenTelemetry provider (${name}) was registered first, so svc records nothing. ${remedy}`
}

/** Said when the API refuses our provider although none is registered: it was stamped by another version. */
export function refused(api = apiGlobal()): string {
  return (
    `@opentelemetry/api ${api?.version ?? 'of another version'} was loaded first and refuses newer packages, so svc ` +
    'records nothing. Update it, or put --import @svc/register before what loads it.'
  )
}

/**
 * Reports a provider that somebody registers after ours, once. The API refuses it, and says so only to its own
 * diagnostics, which nobody listens to by default: we do, because a bundle has an API of its own that shares them.
 *
 * @returns takes it back
 */
export function reportLateProviders(report: (line: string) => void): () => void {
  let isReported = false
  const reportOnce = (line: string) => {
    if (!isReported) report(line)
    isReported = true
  }
  copies.report = reportOnce
  watchCopy(trace)
  const stopListening = onDuplicate(() => queueMicrotask(() => reportOnce(late())))
  return () => {
    stopListening()
    copies.report = undefined
    for (const [copy, setGlobalTracerProvider] of copies.watched) Object.assign(copy, { setGlobalTracerProvider })
    copies.watched.clear()
  }
}

/**
 * Gives our provider to tracers that an earlier preload took. They hear of it through the copy of the API that they are
 * from alone: there is one of CommonJS and one of ES modules. Loaded only where there is an earlier preload.
 */
export function reachEarlierTracers(provider: TracerProvider, flags: readonly string[] = process.execArgv): void {
  if (flags.filter((flag) => PRELOADING.test(flag)).length < 2) return
  attempt('reach earlier tracers', () => {
    const main = findPackage('@opentelemetry/api')
    if (main === undefined) return
    const require = createRequire(main)
    // Whether a CommonJS copy was loaded can be seen. Of an ES module one that is loaded now changes nothing.
    const loaded = [
      ...(require.cache[main] ? [main] : []),
      ...(main.endsWith('.cjs') ? [main.replace(/cjs$/, 'mjs')] : []),
    ]
    for (const file of loaded) {
      const { trace: copy } = require(file) as { readonly trace: TraceAPI }
      const earlier = copy.getTracerProvider()
      if (earlier instanceof Object && 'setDelegate' in earlier) (earlier as ProxyTracerProvider).setDelegate(provider)
    }
  })
}

const PRELOADING = /^(?:--import|--require|-r)(?:=|$)/

/** The API as applications load it: in copies of their own, as ES modules and as CommonJS. */
export const API_COPIES: ModuleTarget = {
  package: '@opentelemetry/api',
  files: [...paths('dist/index', ['.mjs', '.cjs']), ...paths('build/', ['src', 'esm', 'esnext'], '/index.js')],
  apply(exports, { version }) {
    watchCopy((exports as { readonly trace: TraceAPI }).trace)
    takeVersion(version)
  },
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

const DUPLICATE = 'Attempted duplicate registration of API: trace'

/** Listens to the diagnostics of every API in this process, unless somebody does already. */
function onDuplicate(found: () => void): () => void {
  if (apiGlobal()?.diag !== undefined) return () => {}
  const nothing = () => {}
  const error = (message: unknown) => {
    if (String(message).includes(DUPLICATE)) found()
  }
  diag.setLogger(
    { error, warn: nothing, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
  const ours = apiGlobal()?.diag
  return () => {
    if (apiGlobal()?.diag === ours) diag.disable()
  }
}

function late(provider?: TracerProvider): string {
  if (bringsProvider(sentry())) return LATE_SENTRY
  return (
    `another OpenTelemetry provider (${nameOf(provider)}) was registered after svc, so it gets ` +
    'no spans. Name its destination in OTEL_EXPORTER_OTLP_ENDPOINT, which svc sends all spans to as well; or leave the ' +
    'preload out and add `new SvcSpanProcessor()` from @svc/otel to its span processors.'
  )
}

const WITHOUT_SENTRYS =
  'Say skipOpenTelemetrySetup: true (Sentry 10) or enableOpenTelemetrySetup: false (Sentry 11) in Sentry.init'

const LATE_SENTRY =
  'Sentry was started after svc, which has the one OpenTelemetry provider, so Sentry gets errors and no traces. ' +
  `${WITHOUT_SENTRYS} if that is what you want; to send it the traces as well, name its OTLP endpoint in ` +
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT.'

interface Sentry {
  readonly version?: string
  readonly [version: string]: unknown
}

interface SentryScope {
  getClient?(): SentryClient | undefined
}

interface SentryClient {
  readonly traceProvider?: unknown
  getOptions?(): { readonly skipOpenTelemetrySetup?: boolean; readonly enableOpenTelemetrySetup?: boolean }
}

/** Sentry as it was initialized in this process, with its version. */
function sentry(): { readonly version: string; readonly client: SentryClient } | undefined {
  return attempt('look for Sentry', () => {
    const { __SENTRY__: carriers } = globalThis as { __SENTRY__?: Sentry }
    const version = carriers?.version ?? ''
    const carrier = carriers?.[version] as { defaultCurrentScope?: SentryScope } | undefined
    const client = carrier?.defaultCurrentScope?.getClient?.()
    return client && { version, client }
  })
}

/** Whether it registers a provider of its own. From version 11 on that is an option, which its package for Next sets. */
function bringsProvider(found: ReturnType<typeof sentry>): boolean {
  if (!found) return false
  const { skipOpenTelemetrySetup, enableOpenTelemetrySetup } = found.client.getOptions?.() ?? {}
  return Number.parseInt(found.version, 10) <= 10 ? !skipOpenTelemetrySetup : enableOpenTelemetrySetup === true
}

/** Bundlers number the names of classes, TracerProvider$1, or leave them out. */
function nameOf(provider: object | undefined): string {
  return provider?.constructor?.name.replace(/\$\d+$/, '') || 'of an unknown kind'
}
