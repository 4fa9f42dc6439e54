import { RUNTIME_SLOT } from '@svc/core/registry'
import { API_SLOT } from './api-global.ts'

/** Where all copies of OpenTelemetry's API, and of our packages, look for what runs in this process. */
const SLOTS = [API_SLOT, RUNTIME_SLOT]

const globals = globalThis as unknown as Record<symbol, unknown>

/**
 * Calls `use` whenever OpenTelemetry's API or the runtime of this process is looked for, by accessors in its place. What
 * is assigned there, also by `use`, replaces them.
 */
export function awaitUse(use: () => void): void {
  for (const slot of SLOTS) {
    Object.defineProperty(globalThis, slot, {
      configurable: true,
      enumerable: true,
      get() {
        use()
        return Object.getOwnPropertyDescriptor(globalThis, slot)?.value
      },
      set(value: unknown) {
        use()
        Object.defineProperty(globalThis, slot, { value, writable: true, enumerable: true, configurable: true })
      },
    })
  }
}

/** Removes the accessors of {@link awaitUse}. */
export function stopAwaiting(): void {
  for (const slot of SLOTS) if (Object.getOwnPropertyDescriptor(globalThis, slot)?.get) delete globals[slot]
}
