/** Most paths name nothing of many, which takes one look. */
const SUSPICIOUS = /[\d@%]|[^/]{41}/
/** Numbers, UUIDs, hashes, addresses: what names one thing of many. */
const IDS = [
  /\d{3}/,
  /^\d+$/,
  /^[0-9a-f]{8}-[0-9a-f-]{20,}$/i,
  // Ids of chance have digits among their letters, and are longer than what people write: `gpt-4o`, `oauth2`.
  /^(?=.*\d)(?=.*[a-z])[\w-]{16,}$/i,
  /[@%]/,
  /^.{41,}/,
]

/** A path as a route, where no framework says which it is: `/chat/42` is `/chat/:id`. Names are to be few. */
export function routeOfPath(path: string): string {
  if (!SUSPICIOUS.test(path)) return path
  return path
    .split('/')
    .map((part) => (IDS.some((id) => id.test(part)) ? ':id' : part))
    .join('/')
}
