import type { openSpool as open } from './open-spool.ts'

/** Replaces open-spool.ts in bundles for edge runtimes, which have no disk. */
export const openSpool: typeof open = () => undefined
