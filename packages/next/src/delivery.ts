import { Deliveries } from '@svc/core/deliveries'
import { getRuntime, type Runtime } from '@svc/core/registry'
import * as SLOTS from '@svc/core/slots'
import { keepAwake } from '#after'
import { flushesEachRequest } from './host.ts'

// On globalThis: bundlers make a copy of this module for each of Next's layers.
const SLOT = Symbol.for(SLOTS.NEXT_DELIVERY)
const slots = globalThis as unknown as Record<symbol, Runtime | undefined>

/**
 * Called by `registerSvc` and again by every wrapper, in case `registerSvc` is not used; has an effect once for each
 * runtime. On a long-running server it does nothing: the export queue sends batches on its own schedule.
 */
export function deliverWithRequests(): void {
  if (!flushesEachRequest()) return
  const runtime = getRuntime()
  if (!runtime?.watch || slots[SLOT] === runtime) return
  slots[SLOT] = runtime
  runtime.watch(new Deliveries(keepAwake, flushesEachRequest))
}
