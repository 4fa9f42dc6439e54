import { overrideMethod } from '@svc/core/override-method'
import { isMethod, isObject } from '../gen-ai/read.ts'

const STEPS = ['next', 'return', 'throw'] as const

/**
 * Wraps the methods of an iterator, which stays the library's own object. Readers call `return` when they leave.
 *
 * @param wrap calls `step`, the method that was called, and returns its result or what stands for it
 */
export function wrapSteps(
  iterator: unknown,
  wrap: (name: (typeof STEPS)[number], step: () => unknown) => unknown,
): void {
  if (!isObject(iterator)) return
  for (const name of STEPS) {
    const original = iterator[name]
    if (isMethod(original))
      overrideMethod(iterator, name, (...args) => wrap(name, () => original.apply(iterator, args)))
  }
}
