import { setContentMaxBytes } from '@svc/core/content-limit'
import { ownFields } from '@svc/core/own'
import * as SLOTS from '@svc/core/slots'

export { capturesContent } from '@svc/core/capture-content'
export { contentMaxBytes } from '@svc/core/content-limit'

export interface CallOptions {
  /**
   * Record the input and output of model calls: messages, instructions, tool definitions and tool calls. If false, only
   * models, parameters, tokens and timing are recorded. Default: what the variable says.
   */
  readonly captureContent?: boolean
  /** The maximum size of one content attribute, in bytes. Default 1,000,000. */
  readonly contentMaxBytes?: number
  /** Propagate trace context and baggage to model vendors. Default false. */
  readonly propagateToVendors?: boolean
  /** Whether all calls are counted as metrics, so that no library's own metrics are recorded beside them. Default false. */
  readonly genAiMetrics?: boolean
}

type CallSettings = Omit<CallOptions, 'contentMaxBytes'>

// On globalThis: bundlers and package managers duplicate modules, and with them module state.
const SLOT = Symbol.for(SLOTS.CALLS)
const slots = globalThis as unknown as Record<symbol, CallSettings | undefined>

/** Configures what the instrumentations of this package record, from the next model call on. */
export function configure(options: CallOptions): void {
  const { contentMaxBytes, ...settings } = ownFields(options)
  slots[SLOT] = ownFields(settings)
  setContentMaxBytes(contentMaxBytes)
}

export function propagatesToVendors(): boolean {
  return slots[SLOT]?.propagateToVendors === true
}

export function countsCalls(): boolean {
  return slots[SLOT]?.genAiMetrics === true
}
