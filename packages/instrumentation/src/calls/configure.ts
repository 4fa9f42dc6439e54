export interface CallOptions {
  /**
   * Record what was said to a model and what it answered: messages, instructions, tool definitions and tool calls.
   * Without it models, parameters, tokens and timing remain. Default true.
   */
  readonly captureContent?: boolean
}

interface CallSettings {
  captureContent: boolean
}

// On globalThis: bundlers and package managers make copies of modules, and state in a module is state lost.
const SLOT = Symbol.for('svc.calls.6')
const slots = globalThis as unknown as Record<symbol, CallSettings | undefined>

const settings = (): CallSettings => {
  slots[SLOT] ??= { captureContent: true }
  return slots[SLOT]
}

/** Settles what the instrumentations of this package record, from the next call of a model on. */
export function configure({ captureContent = true }: CallOptions): void {
  settings().captureContent = captureContent
}

export function capturesContent(): boolean {
  return settings().captureContent
}
