import { createRequire } from 'node:module'
import { DiagLogLevel, diag, type ProxyTracerProvider, type TracerProvider, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { type ModuleTarget, paths } from '@svc/instrumentation/hook/target'
import { apiGlobal, takeVersion } from './api-global.ts'
import { describeLate, describeOccupied } from './late-parts.ts'
import { findPackage } from './optional-packages.ts'

/**
 * Returns why no provider can be registered in this process, with the remedy; undefined if none is registered. The API
 * keeps registered components in one global, marked with the version of the first copy.
 */
export function occupied(api = apiGlobal()): string | undefined {
  if (!api?.trace) return undefined
  return describeOccupied(api.trace.getDelegate?.())
}

/**
 * Reports a provider that is registered after ours, once. The API refuses it, and reports that only to its diagnostics
 * logger, which is not set by default. We set it, because a bundle has its own copy of the API, which shares the
 * logger.
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
  const stopListening = onDuplicate(() => queueMicrotask(() => reportOnce(describeLate())))
  return () => {
    stopListening()
    copies.report = undefined
    for (const [copy, setGlobalTracerProvider] of copies.watched) Object.assign(copy, { setGlobalTracerProvider })
    copies.watched.clear()
  }
}

/**
 * Sets our provider for tracers that an earlier preload has created. They receive it only through their own copy of the
 * API: there is one for CommonJS and one for ES modules. Loaded only if there is an earlier preload.
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

/** The watched copies of the API, and the callback. */
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
    if (!isTaken) copies.report?.(describeLate(provider))
    return isTaken
  }
}

const DUPLICATE = 'Attempted duplicate registration of API: trace'

/** Sets the diagnostics logger of every API copy in this process, unless one is set. */
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
