import { attempt } from '@svc/core/attempt'
import * as SLOTS from '@svc/core/slots'
import { type Integration, makesSpans } from './hooks.ts'

/** Where the AI SDK 7 keeps what `registerTelemetry` was given; it reads it at each call. */
const REGISTRY = 'AI_SDK_TELEMETRY_INTEGRATIONS'

/** State of the accessor that replaces the registry: the list contains our integration once the SDK has read it. */
interface Adoption {
  enabled: boolean
}

// On globalThis: bundlers and package managers make copies of modules, and there is one registry.
const SLOT = Symbol.for(SLOTS.AI_SDK)
const globals = globalThis as unknown as Record<symbol, Adoption | undefined> & { [REGISTRY]?: unknown }

/**
 * Puts an integration into the registry of the AI SDK 7, so that every call is recorded without an option. Needs no hook
 * and no import: it works for `import`, `require` and bundled copies, before or after the SDK was loaded. If the
 * application registers telemetry that makes spans itself, ours is left out. Never throws.
 *
 * @param load makes the integration when the SDK first reads the registry; may return undefined
 */
export function adoptAiSdk(load: () => Integration | undefined): void {
  const known = globals[SLOT]
  if (known) {
    known.enabled = true
    return
  }
  attempt('adopt the AI SDK', () => {
    const adoption: Adoption = { enabled: true }
    Object.defineProperty(globalThis, REGISTRY, registryOf(adoption, load, globals[REGISTRY]))
    globals[SLOT] = adoption
  })
}

/** Takes our integration out of the registry, or puts it back. Does nothing before {@link adoptAiSdk}. */
export function enableAiSdk(enabled: boolean): void {
  if (globals[SLOT]) globals[SLOT].enabled = enabled
}

/** Whether calls without a telemetry option are recorded. */
export function isAiSdkEnabled(): boolean {
  return globals[SLOT]?.enabled ?? true
}

/** Whether our integration is in the registry of the AI SDK 7, or would be. */
export function isAiSdkAdopted(): boolean {
  return globals[SLOT]?.enabled === true
}

function registryOf(adoption: Adoption, load: () => Integration | undefined, before: unknown): PropertyDescriptor {
  let list: unknown = before
  let ours: Integration | undefined
  let loaded = false
  return {
    configurable: true,
    enumerable: false,
    set: (value: unknown) => {
      list = value
    },
    get: () => {
      list ??= []
      if (!Array.isArray(list)) return list
      const others = list.filter((each) => each !== ours)
      const wanted = adoption.enabled && !others.some(makesSpans)
      if (wanted && !loaded) {
        loaded = true
        ours = attempt('load the telemetry of the AI SDK', load)
      }
      if (!wanted || !ours) remove(list, ours)
      else if (!list.includes(ours)) list.push(ours)
      return list
    },
  }
}

function remove(list: unknown[], one: unknown): void {
  const at = list.indexOf(one)
  if (at >= 0) list.splice(at, 1)
}
