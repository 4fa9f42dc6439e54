import * as SLOTS from './slots.ts'

/** Default of `SVC_CONTENT_MAX_BYTES`. */
const DEFAULT = 1_000_000

// On globalThis, because copies of this module (bundlers, several installed versions) have to share it.
const SLOT = Symbol.for(SLOTS.CONTENT_LIMIT)
const slots = globalThis as unknown as Record<symbol, number | undefined>

/** Returns the maximum bytes of text in one content attribute. */
export function contentMaxBytes(): number {
  return slots[SLOT] ?? DEFAULT
}

/** Sets {@link contentMaxBytes} for everything recorded from now on; without an argument, to the default. */
export function setContentMaxBytes(bytes: number = DEFAULT): void {
  slots[SLOT] = bytes
}
