import { attempt } from '@svc/core/attempt'
import { PATCHES, type Patches } from './patches.ts'

/**
 * Patches the exports of a file, or of a package. Never throws.
 *
 * @returns whether anything was patched that was not yet
 */
export function applyPatch(library: string, patch: keyof Patches, exports: unknown): boolean {
  return attempt(`instrument ${library}`, () => PATCHES[patch](exports)) === true
}
