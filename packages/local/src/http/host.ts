import { isIP } from 'node:net'

/** Names that only ever mean this machine; the last is how containers call the machine they run on. */
const OWN_NAMES = ['localhost', 'host.docker.internal']

/** Whether an address to listen on is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)
}

/**
 * Whether a request's `Host` header names this service. A page of a stranger whose domain resolves to 127.0.0.1
 * (DNS rebinding) names its own domain here.
 *
 * @param bound the address the service listens on. Beyond loopback, addresses and one-word names of the local
 *   network pass too: a stranger's domain is neither.
 */
export function isOwnHost(header: string | undefined, bound: string): boolean {
  const name = hostName(header)
  if (name === undefined) return false
  if (name === bound.toLowerCase() || isLoopback(name)) return true
  if (OWN_NAMES.includes(name) || name.endsWith('.localhost')) return true
  return !isLoopback(bound) && (isIP(name) !== 0 || !name.includes('.'))
}

/** The port of a request's `Host` header; 80 where it names none. */
export const portOf = (header: string | undefined): string => /:(\d+)$/.exec(header ?? '')?.[1] ?? '80'

function hostName(header: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]/@]+))(?::\d+)?$/i.exec(header ?? '')
  return (match?.[1] ?? match?.[2])?.toLowerCase()
}
