import { hostEnvironment } from '@svc/core/environment'
import { warnOnce } from '@svc/core/log'
import { own, ownFields } from '@svc/core/own'
import { type Options, readSettings, type Settings } from '@svc/core/setting'
import { captureContent, edgeSettings, nextPhase, trustTraceparent } from '@svc/core/settings'
import * as SLOTS from '@svc/core/slots'
import type { CallerTrust, Trust } from '@svc/core/trust'
import { freezes, HOST_FACTS } from '#host-facts'

const { publicKey, secretKey, baseUrl } = edgeSettings
const SERVICE = { publicKey, secretKey, baseUrl }

/** When spans are delivered: with every request where the host freezes after it, or by the pipeline's own clock. */
export type FlushMode = 'auto' | 'always' | 'never'

/** The options of `registerSvc` about the host. */
export interface HostOptions {
  readonly flush?: FlushMode | undefined
  readonly trustBaggage?: Trust
  readonly trustTraceparent?: Trust
  /** Keys and address of the service, where they are options and not variables. */
  readonly service?: Options<typeof SERVICE> | undefined
}

const SETTINGS = {
  ...HOST_FACTS,
  nextPhase,
  captureContent,
  trustBaggage: edgeSettings.trustBaggage,
  trustTraceparent,
}

interface State {
  options: HostOptions
  /** What options and environment decide: once, because every request needs it. */
  host?: ReturnType<typeof decide> | undefined
}

// On globalThis: bundlers make a copy of this module for each of Next's layers.
const SLOT = Symbol.for(SLOTS.NEXT)
const slots = globalThis as unknown as Record<symbol, State | undefined>

/** Called by `registerSvc`; its options win over the environment. */
export function setHost(options: HostOptions): void {
  slots[SLOT] = { options, host: undefined }
}

/** Keys and address of the service. Invalid ones are reported where the pipeline reads them. */
export function service(): Settings<typeof SERVICE> {
  return readSettings(SERVICE, { ...own(slots[SLOT]?.options ?? {}, 'service') }, hostEnvironment, () => {})
}

/** Returns who is trusted about the trace and user of a request: nobody, unless the app says so. */
export function callerTrust(): CallerTrust {
  return host()
}

/** Returns whether the spans of a request must be delivered with it: the host may freeze or exit right after it. */
export function flushesEachRequest(): boolean {
  return host().flushes
}

/** Returns whether Next is building. Nothing is observed then. */
export function isBuilding(): boolean {
  return host().nextPhase === 'phase-production-build'
}

/** Returns whether this is `next dev`. */
export function isDeveloping(): boolean {
  return host().nodeEnv === 'development'
}

/** Returns whether prompts and answers may be recorded. */
export function capturesContent(): boolean {
  return host().captureContent
}

function host(): ReturnType<typeof decide> {
  slots[SLOT] ??= { options: {}, host: undefined }
  const state = slots[SLOT]
  state.host ??= decide(state.options)
  return state.host
}

function decide(options: HostOptions) {
  const { flush = 'auto', trustBaggage, trustTraceparent } = ownFields(options)
  const settings = readSettings(SETTINGS, { trustBaggage, trustTraceparent }, hostEnvironment, warnOnce)
  const flushes = flush === 'auto' ? freezes(settings) : flush === 'always'
  return { ...settings, flushes }
}
