import { createRequire } from 'node:module'
import type { ProxyTracerProvider, TracerProvider, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { findPackage } from './optional-packages.ts'
import { hasOtherPreload } from './preloads.ts'

type TraceAPI = typeof trace

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
