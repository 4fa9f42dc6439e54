/**
 * Returns a copy of a value with `change` applied to each string in plain objects and arrays, down to `maxDepth`.
 * Deeper values, class instances and cycles are not changed.
 */
export function withTexts(value: unknown, maxDepth: number, change: (text: string) => string): unknown {
  const above = new Set<object>()
  const walk = (at: unknown, depth: number): unknown => {
    if (typeof at === 'string') return change(at)
    if (depth >= maxDepth || !isPlain(at) || above.has(at)) return at
    above.add(at)
    const copy = Array.isArray(at)
      ? at.map((each) => walk(each, depth + 1))
      : Object.fromEntries(Object.entries(at).map(([key, each]) => [key, walk(each, depth + 1)]))
    above.delete(at)
    return copy
  }
  return walk(value, 0)
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === null || prototype === Object.prototype
}
