import * as SLOTS from '@svc/core/slots'
import type { ModuleTarget } from './hook/target.ts'

// On globalThis, so that every copy of this package knows what the others loaded.
const SLOT = Symbol.for(SLOTS.INSTRUMENTED)
const slots = globalThis as unknown as Record<symbol, Set<string> | undefined>

/**
 * Wraps a target so that we know its package was loaded. Other vendors' spans for those calls are then dropped (see
 * `duplicates.ts` of `@svc/register`).
 */
export function trackLoaded(target: ModuleTarget): ModuleTarget {
  return {
    ...target,
    apply(exports, info) {
      target.apply(exports, info)
      slots[SLOT] ??= new Set()
      slots[SLOT].add(target.package)
    },
  }
}

/** Returns whether our own instrumentation records the calls of at least one loaded copy of the package. */
export function isInstrumented(name: string): boolean {
  return slots[SLOT]?.has(name) ?? false
}
