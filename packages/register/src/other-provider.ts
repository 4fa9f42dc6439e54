import { createRequire } from 'node:module'
import { DiagLogLevel, diag, type ProxyTracerProvider, type TracerProvider, trace } from '@opentelemetry/api'
import { apiGlobal } from '@svc/core/api-global'
import { attempt } from '@svc/core/attempt'
import { takeVersion } from './api-version.ts'
import { findPackage } from './optional-packages.ts'
import { hasOtherPreload } from './preloads.ts'
import { describeAdditional, describeOccupied } from './provider-lines.ts'

/**
 * Called before we register. Returns why our provider cannot be registered, with the remedy; undefined if it can,
 * because no other one is. The API keeps registered components in one global, marked with the version of the first
 * copy.
 */
export function occupied(api = apiGlobal()): string | undefined {
  if (!api?.trace) return undefined
  return describeOccupied(registered(api))
}

/** The global provider, behind the API's proxy. */
function registered(api = apiGlobal()): object | undefined {
  return api?.trace?.getDelegate?.()
}

/**
 * Reports a provider that is registered after ours, once. The API refuses it unless ours was removed before, as Azure's
 * distribution does, and reports that only to its diagnostics logger, which is not set by default. So we watch
 * `setGlobalTracerProvider` of each copy of the API that is loaded from its package, and set the logger for the copies
 * inside bundles, which cannot be patched.
 *
 * @returns a function that undoes this
 */
export function reportAdditionalProviders(report: (line: string) => void): () => void {
  let isReported = false
  const reportOnce = (line: string) => {
    if (!isReported) report(line)
    isReported = true
  }
  copies.report = reportOnce
  copies.ours = registered()
  watchCopy(trace)
  // Later, because the watched copy that logs this reports it next, with the provider's name.
  const stopListening = onDuplicate(() => queueMicrotask(() => reportOnce(describeAdditional())))
  return () => {
    stopListening()
    copies.report = undefined
    for (const [copy, setGlobalTracerProvider] of copies.watched) Object.assign(copy, { setGlobalTracerProvider })
    copies.watched.clear()
  }
}

/**
 * Sets our provider for tracers that an earlier preload (`--import`, `--require`) has created. They receive it only
 * through their own copy of the API: there is one for CommonJS and one for ES modules. Without another preload besides
 * ours nothing is loaded.
 */
export function reachEarlierTracers(provider: TracerProvider, flags: readonly string[] = process.execArgv): void {
  if (!hasOtherPreload(flags)) return
  attempt('reach earlier tracers', () => {
    const main = findPackage('@opentelemetry/api')
    if (main === undefined) return
    const require = createRequire(main)
    // `require.cache` shows whether the CommonJS copy is loaded. For ES modules this cannot be seen, so that copy is
    // loaded here if it is not yet; that has no effect on others.
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

/** Watches a copy of the API that the application has loaded, and gives its version to what is registered. */
export function takeCopy(copy: { readonly trace: TraceAPI }, version: string | undefined): void {
  watchCopy(copy.trace)
  takeVersion(version)
}

type TraceAPI = typeof trace

/**
 * The watched copies of the API with their original `setGlobalTracerProvider`, and the callback for a second provider.
 */
const copies: {
  report: ((line: string) => void) | undefined
  ours: object | undefined
  watched: Map<TraceAPI, TraceAPI['setGlobalTracerProvider']>
} = { report: undefined, ours: undefined, watched: new Map() }

function watchCopy(copy: TraceAPI): void {
  if (copies.watched.has(copy)) return
  const { setGlobalTracerProvider } = copy
  copies.watched.set(copy, setGlobalTracerProvider)
  copy.setGlobalTracerProvider = (provider: TracerProvider) => {
    const isTaken = setGlobalTracerProvider.call(copy, provider)
    if (!isTaken || (copies.ours && registered() !== copies.ours))
      copies.report?.(describeAdditional(provider, isTaken))
    return isTaken
  }
}

/** How the API's error begins when a second provider is registered. */
const DUPLICATE = 'Attempted duplicate registration of API: trace'

/**
 * Sets the diagnostics logger of every API copy in this process, unless one is set, and calls `found` when the API logs
 * a refused provider.
 *
 * @returns a function that removes the logger
 */
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
