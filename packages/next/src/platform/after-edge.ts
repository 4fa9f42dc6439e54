import { hostKeepsAwake, type KeepAwake } from './wait-until.ts'

export type { KeepAwake } from './wait-until.ts'

/**
 * Has the host of this request wait for `work`. Edge runtimes have `waitUntil`, which is all that Next's `after` stands
 * on, and the rest of it would be in each bundle.
 *
 * @returns the way to do so again; undefined where there is none
 */
export function keepAwake(work: () => Promise<void>): KeepAwake | undefined {
  const keep = hostKeepsAwake()
  keep?.(work)
  return keep
}
