import { hostEnvironment } from './environment.ts'
import { warnOnce } from './log.ts'
import { readSettings } from './setting.ts'
import { captureContent } from './settings-first.ts'
import * as SLOTS from './slots.ts'

// On globalThis: bundlers and package managers duplicate modules, and with them module state.
const SLOT = Symbol.for(SLOTS.CALLS)
const slots = globalThis as unknown as Record<symbol, { readonly captureContent?: boolean | undefined } | undefined>

/** What the variable says, where no pipeline has read it. Kept here, because the global object may be frozen. */
let fromEnvironment: boolean | undefined

/**
 * Whether content is recorded by itself: messages of models, arguments and results of functions. What code writes on an
 * observation by hand is recorded in any case.
 */
export function capturesContent(): boolean {
  const configured = slots[SLOT]?.captureContent
  if (configured !== undefined) return configured
  fromEnvironment ??= readSettings({ captureContent }, {}, hostEnvironment, warnOnce).captureContent
  return fromEnvironment
}
