import * as SLOTS from './slots.ts'

/** Shorter values are words. */
export const SHORTEST = 8
/** An application may have a key for each of its customers: the oldest are forgotten. */
const MOST = 200

// On globalThis, because copies of this module (bundlers, several installed versions) have to share it.
const SLOT = Symbol.for(SLOTS.SECRETS)
const slots = globalThis as unknown as Record<symbol, Set<string> | undefined>
/** Where an application has frozen `globalThis`. */
const ours = new Set<string>()

/** Remembers keys, addresses with a password, and headers, so that no text repeats them (`foreign-text.ts`). */
export function keepSecret(value: unknown): void {
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) keepSecret(each)
  if (typeof value !== 'string' || value.length < SHORTEST) return
  if (!slots[SLOT]) Reflect.set(globalThis, SLOT, ours)
  const kept = slots[SLOT] ?? ours
  // One that is kept again becomes the newest.
  kept.delete(value)
  kept.add(value)
  if (kept.size > MOST) kept.delete(kept.values().next().value as string)
}

export const keptSecrets = (): ReadonlySet<string> => slots[SLOT] ?? ours
