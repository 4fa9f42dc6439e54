// On globalThis: a second copy of this package must see what the first one did.
const SLOT = Symbol.for('svc.instrumented.6')
const slots = globalThis as unknown as Record<symbol, Set<string> | undefined>

/** Remembers that our instrumentation of a package was shown it. */
export function noteInstrumented(name: string): void {
  slots[SLOT] ??= new Set()
  slots[SLOT].add(name)
}

/** Whether the calls of a package, in one copy of it at least, are recorded by our own instrumentation. */
export function isInstrumented(name: string): boolean {
  return slots[SLOT]?.has(name) ?? false
}
