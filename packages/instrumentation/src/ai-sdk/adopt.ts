import { attempt } from '@svc/core/attempt'
import { type Integration, makesSpans } from './hooks.ts'

/** Where the AI SDK 7 keeps what `registerTelemetry` was given; it reads it at each call. */
const REGISTRY = 'AI_SDK_TELEMETRY_INTEGRATIONS'

/** What stands in the place of the registry: the list, with ours in it from the first time the SDK asks for it. */
interface Adoption {
  enabled: boolean
}

// On globalThis: bundlers and package managers make copies of modules, and there is one registry.
const SLOT = Symbol.for('svc.ai-sdk.6')
const globals = globalThis as unknown as Record<symbol, Adoption | undefined> & { [REGISTRY]?: unknown }

/**
 * Puts an integration into the registry of the AI SDK 7, so that every call is seen without an option. Needs no hook and
 * no import: it works for `import`, `require` and bundled copies, before or after the SDK was loaded. Where the
 * application registers telemetry that makes spans itself, ours steps aside. Never throws.
 *
 * @param load makes the integration, when the SDK asks for it the first time; undefined when there is none to be had
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

/** Takes ours out of the registry again, or puts it back. Does nothing where {@link adoptAiSdk} was not called. */
export function enableAiSdk(enabled: boolean): void {
  if (globals[SLOT]) globals[SLOT].enabled = enabled
}

/** Whether calls are to be seen that say nothing of telemetry. */
export function isAiSdkEnabled(): boolean {
  return globals[SLOT]?.enabled ?? true
}

/** Whether ours is in the registry of the AI SDK 7, or would be. */
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
