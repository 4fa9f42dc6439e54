import { warnOnce } from '@svc/core/log'
import type * as Implementation from './implementation.ts'

// In the place of implementation.ts on edge runtimes: each function is a bundle of its own, which is deployed and loaded as
// a whole. So the work is in the bundle of instrumentation.ts alone, and what an application wraps calls it there.
// On globalThis: bundles have copies of modules.
const SLOT = Symbol.for('svc.next-implementation.6')
const slots = globalThis as unknown as Record<symbol, typeof Implementation | undefined>

/** Called by `registerSvc`, which has the implementation in its bundle. */
export function setImplementation(implementation: typeof Implementation): void {
  slots[SLOT] = implementation
}

/** Whether nothing is observed: Next builds, or `registerSvc` did not run here. */
export function isInactive(): boolean {
  const implementation = slots[SLOT]
  if (implementation) return implementation.isInactive()
  warnOnce(
    'registerSvc did not run in this edge runtime, so nothing is traced and no identity is passed on. Call it in ' +
      'instrumentation.ts, for every NEXT_RUNTIME.',
  )
  return true
}

export const unseal: typeof Implementation.unseal = async (...args) => slots[SLOT]?.unseal(...args)

// The others are called where it is active.
const implementation = () => slots[SLOT] as typeof Implementation

export const seal: typeof Implementation.seal = (...args) => implementation().seal(...args)

export const observeRoute: typeof Implementation.observeRoute = (...args) => implementation().observeRoute(...args)

export const observeAction: typeof Implementation.observeAction = (...args) => implementation().observeAction(...args)

export const observeProxy: typeof Implementation.observeProxy = (...args) => implementation().observeProxy(...args)

export const observeRender: typeof Implementation.observeRender = (...args) => implementation().observeRender(...args)

export const shareTrace: typeof Implementation.shareTrace = () => implementation().shareTrace()
