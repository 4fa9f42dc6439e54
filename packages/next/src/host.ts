import { hostEnvironment } from '@svc/core/environment'
import { warnOnce } from '@svc/core/log'
import { type Options, readSettings, type Settings } from '@svc/core/setting'
import { captureContent, edgeExportSettings, hostSettings, trustTraceparent } from '@svc/core/settings'

const { publicKey, secretKey, baseUrl } = edgeExportSettings
const SERVICE = { publicKey, secretKey, baseUrl }

/** When spans are delivered: with every request where the host freezes after it, or by the pipeline's own clock. */
export type FlushMode = 'auto' | 'always' | 'never'

/** What `registerSvc` may set about the host. */
export interface HostOptions {
  readonly flush?: FlushMode | undefined
  readonly trustBaggage?: boolean | undefined
  readonly trustTraceparent?: boolean | undefined
  /** Keys and address of the service, where they are options and not variables. */
  readonly service?: Options<typeof SERVICE> | undefined
}

const SETTINGS = {
  ...hostSettings,
  captureContent,
  // Next's requests come from browsers: any client could otherwise choose the user or the trace by a header.
  trustBaggage: { ...edgeExportSettings.trustBaggage, default: false },
  trustTraceparent: { ...trustTraceparent, default: false },
}

interface State {
  options: HostOptions
  /** Read from the environment once, because every request needs them. */
  settings?: Settings<typeof SETTINGS>
}

// On globalThis: bundlers make a copy of this module for each of Next's layers.
const SLOT = Symbol.for('svc.next.6')
const slots = globalThis as unknown as Record<symbol, State | undefined>

/** Called by `registerSvc`; its options win over the environment. */
export function setHost(options: HostOptions): void {
  state().options = options
}

/** Keys and address of the service. Invalid ones are reported where the pipeline reads them. */
export function service(): Settings<typeof SERVICE> {
  return readSettings(SERVICE, { ...state().options.service }, hostEnvironment, () => {})
}

/** Whether `svc_*` baggage of requests counts. False unless the app turns it on. */
export function trustsBaggage(): boolean {
  return state().options.trustBaggage ?? settings().trustBaggage
}

/** Whether the trace that `traceparent` of a request names is continued. False unless the app turns it on. */
export function trustsTraceparent(): boolean {
  return state().options.trustTraceparent ?? settings().trustTraceparent
}

/** Whether the spans of a request must be delivered with it, because the host may freeze or exit right after it. */
export function flushesEachRequest(): boolean {
  const { flush = 'auto' } = state().options
  if (flush !== 'auto') return flush === 'always'
  const { vercel, lambdaFunction, nextRuntime } = settings()
  return vercel !== undefined || lambdaFunction !== undefined || nextRuntime === 'edge'
}

/** Whether Next is building. Nothing is observed then. */
export function isBuilding(): boolean {
  return settings().nextPhase === 'phase-production-build'
}

/** Whether this is `next dev`. */
export function isDeveloping(): boolean {
  return settings().nodeEnv === 'development'
}

/** Whether prompts and answers may be recorded. */
export function capturesContent(): boolean {
  return settings().captureContent
}

function state(): State {
  slots[SLOT] ??= { options: {} }
  return slots[SLOT]
}

function settings(): Settings<typeof SETTINGS> {
  const here = state()
  here.settings ??= readSettings(SETTINGS, {}, hostEnvironment, warnOnce)
  return here.settings
}
