const KEY = Symbol.for('svc.left-empty.6')

/** One half of what a root says: what went in, or what came out. */
export type Half = 'input' | 'output'

interface Marked {
  [KEY]?: readonly Half[]
}

/**
 * Says that a root has no input, or no output, on purpose: without that it shows the first question or the last answer
 * of the model calls below it. On the span itself: a WeakMap of spans would cost every garbage collection.
 */
export function leaveEmpty(span: object, half: Half): void {
  const { [KEY]: before = [] } = span as Marked
  Reflect.set(span, KEY, [...before, half])
}

export function isLeftEmpty(span: object, half: Half): boolean {
  return (span as Marked)[KEY]?.includes(half) === true
}
