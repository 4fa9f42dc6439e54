/** Hosts to which sessions over a WebSocket are recorded. */
const hosts = new Set<unknown>()
const LIMIT = 1_000

/** Called with the host of each recorded session. */
export function sessionRecorded(host: unknown): void {
  if (hosts.size < LIMIT) hosts.add(host)
}

export function recordsSessions(host: string): boolean {
  return hosts.has(host)
}
