/** Most paths have no variable segment, which one test shows. */
const SUSPICIOUS = /[\d@%]|[^/]{41}/
/** How clients write the comma between the procedures of a batch of tRPC. */
const COMMA = /,|%2c/i
/** Numbers, UUIDs, hashes and addresses, which identify one of many objects. */
const IDS = [
  /\d{3}/,
  /^\d+$/,
  /^[0-9a-f]{8}-[0-9a-f-]{20,}$/i,
  // Random ids have digits among their letters, and are longer than names such as `gpt-4o` or `oauth2`.
  /^(?=.*\d)(?=.*[a-z])[\w-]{16,}$/i,
  /[@%]/,
  /^.{41,}/,
]

/**
 * Converts a path to a route if the framework reports none: `/chat/42` becomes `/chat/:id`. Span names need a low
 * cardinality.
 */
export function routeOfPath(path: string): string {
  if (!SUSPICIOUS.test(path)) return path
  return path
    .split('/')
    .map((part) => [...new Set(part.split(COMMA).map(withoutId))].join(','))
    .join('/')
}

function withoutId(name: string): string {
  return IDS.some((id) => id.test(name)) ? ':id' : name
}
