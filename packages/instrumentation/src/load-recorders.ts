import * as recorders from './recorders.ts'

export type { WireKind, WireRules } from './recorders.ts'

/** Returns everything that records the calls of a library. */
export const loadRecorders = (): typeof recorders => recorders
