import * as SLOTS from './slots.ts'

const KEY = Symbol.for(SLOTS.LEFT_EMPTY)

/** The input or the output of a root. */
export type Half = 'input' | 'output'

interface Marked {
  [KEY]?: readonly Half[]
}

/**
 * Marks the input or output of a root as intentionally empty. Without the mark it gets the first input or the last
 * output of the model calls below it. Stored on the span, because a WeakMap of spans would slow down every garbage
 * collection.
 */
export function leaveEmpty(span: object, half: Half): void {
  const { [KEY]: before = [] } = span as Marked
  Reflect.set(span, KEY, [...before, half])
}

export function isLeftEmpty(span: object, half: Half): boolean {
  return (span as Marked)[KEY]?.includes(half) === true
}
