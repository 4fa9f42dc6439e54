/**
 * What a package exports under `name`, or else as its default, or else itself: `require` of some gives the class, with
 * the names on it.
 */
export function exportOf(exports: unknown, name: string): unknown {
  if ((typeof exports !== 'object' && typeof exports !== 'function') || exports === null) return undefined
  const { [name]: named, default: main } = exports as Readonly<Record<string, unknown>>
  return named ?? main ?? exports
}
