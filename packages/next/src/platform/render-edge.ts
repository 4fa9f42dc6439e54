import type { Context } from '@opentelemetry/api'
import { trace } from '@svc/core/api'

// Replaces render.ts in bundles for edge runtimes, which render nothing for Next's cache.

export function rendersForCache(): boolean | undefined {
  return false
}

export function mayReadHeaders(): boolean {
  return true
}

/** Returns the route that Next's span in a context is named by: `executing api route (app) /api/chats/[id]`. */
export function findRoute(within: Context): string | undefined {
  const { name = '' } = (trace.getSpan(within) ?? {}) as { name?: string }
  return /^executing api route \(\w+\) (.+)/.exec(name)?.[1]
}
