import { setContentMaxBytes } from '@svc/core/content-limit'

export { contentMaxBytes } from '@svc/core/content-limit'

export interface CallOptions {
  /**
   * Record what was said to a model and what it answered: messages, instructions, tool definitions and tool calls.
   * Without it models, parameters, tokens and timing remain. Default true.
   */
  readonly captureContent?: boolean
  /** Bytes of text that one attribute with content may have. Default 1,000,000. */
  readonly contentMaxBytes?: number
  /** Let trace context and baggage travel to the vendors of models. Default false. */
  readonly propagateToVendors?: boolean
}

type CallSettings = { -readonly [Option in keyof Omit<CallOptions, 'contentMaxBytes'>]-?: CallOptions[Option] }

const DEFAULTS = { captureContent: true, propagateToVendors: false } as const

// On globalThis: bundlers and package managers make copies of modules, and state in a module is state lost.
const SLOT = Symbol.for('svc.calls.6')
const slots = globalThis as unknown as Record<symbol, CallSettings | undefined>

const settings = (): CallSettings => {
  slots[SLOT] ??= { ...DEFAULTS }
  return slots[SLOT]
}

/** Settles what the instrumentations of this package record, from the next call of a model on. */
export function configure(options: CallOptions): void {
  const { captureContent, contentMaxBytes, propagateToVendors } = { ...DEFAULTS, ...options }
  Object.assign(settings(), { captureContent, propagateToVendors })
  setContentMaxBytes(contentMaxBytes)
}

export function capturesContent(): boolean {
  return settings().captureContent
}

export function propagatesToVendors(): boolean {
  return settings().propagateToVendors
}
