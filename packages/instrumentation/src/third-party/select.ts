import type { ModuleTarget } from '../hook/target.ts'
import { trackLoaded } from '../loaded.ts'
import { replaceOurs } from './load.ts'

/**
 * Returns the targets to hook: ours, except where a third-party instrumentation that the user named records the same,
 * and theirs. One that cannot be loaded from the application is skipped with one warning.
 */
export function withThirdParty(ours: readonly ModuleTarget[], names: readonly string[]): readonly ModuleTarget[] {
  return names.length === 0 ? ours.map(trackLoaded) : replaceOurs(ours, names)
}
