import { hostEnvironment } from '@svc/core/environment'
import { warnOnce } from '@svc/core/log'
import { readSettings } from '@svc/core/setting'
import { exportSettings, hostSettings, preloadSettings } from '@svc/core/settings'

/** When spans are delivered: with every request where the host freezes after it, or by the pipeline's own clock. */
export type FlushMode = 'auto' | 'always' | 'never'

interface State {
  flush: FlushMode
  trustBaggage: boolean | undefined
}

// On globalThis: bundlers make a copy of this module for each of Next's layers.
const SLOT = Symbol.for('svc.next.6')
const slots = globalThis as unknown as Record<symbol, State | undefined>

function state(): State {
  slots[SLOT] ??= { flush: 'auto', trustBaggage: undefined }
  return slots[SLOT]
}

/** Said by `registerSvc`. */
export function setHost({
  flush,
  trustBaggage,
}: {
  flush?: FlushMode | undefined
  trustBaggage?: boolean | undefined
}): void {
  if (flush !== undefined) state().flush = flush
  if (trustBaggage !== undefined) state().trustBaggage = trustBaggage
}

/**
 * Whether `svc_*` baggage of requests counts. Here only where somebody said so: Next's requests come from browsers, and
 * whoever sends a header would decide whose trace it is.
 */
export function trustsBaggage(): boolean {
  const trustBaggage = { ...exportSettings.trustBaggage, default: false }
  return state().trustBaggage ?? readSettings({ trustBaggage }, {}, hostEnvironment, warnOnce).trustBaggage
}

/** Whether what a request recorded has to leave before its end: the host freezes or ends right after it. */
export function flushesEachRequest(): boolean {
  const { flush } = state()
  if (flush !== 'auto') return flush === 'always'
  const { vercel, lambdaFunction, nextRuntime } = host()
  return vercel !== undefined || lambdaFunction !== undefined || nextRuntime === 'edge'
}

/** Whether Next is building. Nothing is observed then. */
export function isBuilding(): boolean {
  return host().nextPhase === 'phase-production-build'
}

/** Whether prompts and answers may be recorded. */
export function capturesContent(): boolean {
  const { captureContent } = preloadSettings
  return readSettings({ captureContent }, {}, hostEnvironment, warnOnce).captureContent
}

function host() {
  return readSettings(hostSettings, {}, hostEnvironment, () => {})
}
