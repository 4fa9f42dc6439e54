/** What `SVC_CONTENT_MAX_BYTES` says where nobody says anything. */
const DEFAULT = 1_000_000

// On globalThis: bundlers and package managers make copies of modules, and state in a module is state lost.
const SLOT = Symbol.for('svc.content-limit.6')
const slots = globalThis as unknown as Record<symbol, number | undefined>

/** Bytes of text that one attribute with content may have in this process. */
export function contentMaxBytes(): number {
  return slots[SLOT] ?? DEFAULT
}

/** Settles {@link contentMaxBytes} for what is recorded from now on; without a number, the default. */
export function setContentMaxBytes(bytes: number = DEFAULT): void {
  slots[SLOT] = bytes
}
