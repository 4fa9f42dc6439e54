import { API_SLOT } from '@svc/core/api-global'
import { RUNTIME_SLOT } from '@svc/core/registry'

/** Where all copies of OpenTelemetry's API, and of our packages, look for what runs in this process. */
const SLOTS = [API_SLOT, RUNTIME_SLOT]

const globals = globalThis as unknown as Record<symbol, unknown>

/**
 * Calls `use` whenever OpenTelemetry's API or the runtime of this process is looked for, by accessors in its place, until
 * it returns something. Then what was assigned, also by `use`, replaces them, unless the global object is frozen. What
 * `use` throws does not reach the application, whose stack may be full.
 */
export function awaitUse(use: () => unknown): void {
  for (const slot of SLOTS) {
    let value: unknown
    const isUsed = () => {
      try {
        return use() !== undefined
      } catch {
        return false
      }
    }
    const replace = () => {
      // `use` may have put accessors of its own there.
      if (Object.getOwnPropertyDescriptor(globalThis, slot)?.get !== get) return
      Reflect.defineProperty(globalThis, slot, { value, writable: true, enumerable: true, configurable: true })
    }
    const get = () => {
      if (isUsed()) replace()
      return value
    }
    Object.defineProperty(globalThis, slot, {
      configurable: true,
      enumerable: true,
      get,
      set(given: unknown) {
        const replaced = isUsed()
        value = given
        if (replaced) replace()
      },
    })
  }
}

/** Removes the accessors of {@link awaitUse}. */
export function stopAwaiting(): void {
  for (const slot of SLOTS) if (Object.getOwnPropertyDescriptor(globalThis, slot)?.get) delete globals[slot]
}
