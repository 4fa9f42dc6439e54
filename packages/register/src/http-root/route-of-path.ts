/** Most paths have no variable segment, which one test shows. */
const SUSPICIOUS = /[\d@%]|[^/]{41}/
/** How clients write the comma between the procedures of a batch of tRPC. */
const COMMA = /,|%2c/i
/**
 * Numbers, UUIDs, hashes and addresses, which identify one of many objects. Random ids have digits among their letters,
 * and are longer than names such as `gpt-4o` or `oauth2`.
 */
const ID =
  /(?<![^/])(?:\d+|[^/]*?(?:\d{3}|[@%])[^/]*|[0-9a-f]{8}-[0-9a-f-]{20,}|(?=[^/\d]*\d)(?=[^/a-z]*[a-z])[\w-]{16,}|[^/]{41,})(?![^/])/gi

/**
 * Converts a path to a route if the framework reports none: `/chat/42` becomes `/chat/:id`. Span names need a low
 * cardinality.
 */
export function routeOfPath(path: string): string {
  if (!SUSPICIOUS.test(path)) return path
  return COMMA.test(path) ? path.split('/').map(routeOfBatch).join('/') : path.replace(ID, ':id')
}

function routeOfBatch(names: string): string {
  return [...new Set(names.split(COMMA).map((name) => name.replace(ID, ':id')))].join(',')
}
