import { warnOnce } from '@svc/core/log'
import * as SLOTS from '@svc/core/slots'
import type * as Implementation from './implementation.ts'

// In the place of implementation.ts on edge runtimes: each function is a bundle of its own, which is deployed and loaded as
// a whole. So the work is in the bundle of instrumentation.ts alone, and what an application wraps calls it there.
// On globalThis: bundles have copies of modules.
const SLOT = Symbol.for(SLOTS.NEXT_IMPLEMENTATION)
const slots = globalThis as unknown as Record<symbol, typeof Implementation | undefined>

/** Called by `registerSvc`, which has the implementation in its bundle. */
export function setImplementation(implementation: typeof Implementation): void {
  slots[SLOT] = implementation
}

/** Returns whether nothing is observed: Next builds, or `registerSvc` did not run here. */
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
const called =
  <Name extends keyof typeof Implementation>(name: Name) =>
  (...args: unknown[]) =>
    (slots[SLOT] as unknown as Record<Name, (...args: unknown[]) => unknown>)[name](...args)

export const deliverWithRequests = called('deliverWithRequests') as typeof Implementation.deliverWithRequests
export const mergeIdentities = called('mergeIdentities') as typeof Implementation.mergeIdentities
export const observeRoute = called('observeRoute') as typeof Implementation.observeRoute
export const propagateIdentity = called('propagateIdentity') as typeof Implementation.propagateIdentity
export const resolveIdentity = called('resolveIdentity') as typeof Implementation.resolveIdentity
export const runWork = called('runWork') as typeof Implementation.runWork
export const seal = called('seal') as typeof Implementation.seal
export const service = called('service') as typeof Implementation.service
export const trustedContext = called('trustedContext') as typeof Implementation.trustedContext
