import { createRequire } from 'node:module'
import type { ModuleTarget } from '../hook/target.ts'
import { noting } from '../instrumented.ts'

const require = createRequire(import.meta.url)

/** Instrumentations of other vendors, by the names of their packages. */
const FOREIGN = /^@(arizeai\/openinference|traceloop)[/-]instrumentation-[a-z0-9-]+$/

/** Whether a name is that of an instrumentation of OpenInference or Traceloop. */
export function isForeign(name: string): boolean {
  return FOREIGN.test(name)
}

/**
 * What is to be hooked: ours, and the instrumentations of other vendors that the user named, in the place of those of
 * ours that see the same. One that cannot be loaded from where the application has it is left out, with one line.
 */
export function withForeign(ours: readonly ModuleTarget[], names: readonly string[]): readonly ModuleTarget[] {
  if (names.length === 0) return ours.map(noting)
  const { inPlaceOf } = require('./foreign.js') as typeof import('./foreign.ts')
  return inPlaceOf(ours, names)
}
