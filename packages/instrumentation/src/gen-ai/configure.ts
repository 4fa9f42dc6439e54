import { setContentMaxBytes } from '@svc/core/content-limit'
import * as SLOTS from '@svc/core/slots'

export { contentMaxBytes } from '@svc/core/content-limit'

export interface CallOptions {
  /**
   * Record the input and output of model calls: messages, instructions, tool definitions and tool calls. If false, only
   * models, parameters, tokens and timing are recorded. Default true.
   */
  readonly captureContent?: boolean
  /** The maximum size of one content attribute, in bytes. Default 1,000,000. */
  readonly contentMaxBytes?: number
  /** Propagate trace context and baggage to model vendors. Default false. */
  readonly propagateToVendors?: boolean
}

type CallSettings = Required<Omit<CallOptions, 'contentMaxBytes'>>

const DEFAULTS: CallSettings = { captureContent: true, propagateToVendors: false }

// On globalThis: bundlers and package managers duplicate modules, and with them module state.
const SLOT = Symbol.for(SLOTS.CALLS)
const slots = globalThis as unknown as Record<symbol, CallSettings | undefined>

/** Configures what the instrumentations of this package record, from the next model call on. */
export function configure(options: CallOptions): void {
  const { captureContent, contentMaxBytes, propagateToVendors } = { ...DEFAULTS, ...options }
  slots[SLOT] = { captureContent, propagateToVendors }
  setContentMaxBytes(contentMaxBytes)
}

export function capturesContent(): boolean {
  return (slots[SLOT] ?? DEFAULTS).captureContent
}

export function propagatesToVendors(): boolean {
  return (slots[SLOT] ?? DEFAULTS).propagateToVendors
}
