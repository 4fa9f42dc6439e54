import { textToBase64 } from './base64.ts'

/** Which proxy stands before which address: `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, read. */
export interface ProxySettings {
  /** For `http:` addresses. */
  readonly httpProxy: string | undefined
  /** For `https:` addresses. */
  readonly httpsProxy: string | undefined
  /** Hosts without a proxy: `host`, `.suffix`, `*.suffix`, `host:port`, or `*` for all. */
  readonly noProxy: readonly string[]
}

/**
 * The proxy on the way to an address; undefined when there is none. Loopback never has one, as in Go's
 * `http.ProxyFromEnvironment`: a service on this machine is not the proxy's business.
 */
export function proxyFor(address: URL, { httpProxy, httpsProxy, noProxy }: ProxySettings): URL | undefined {
  const proxy = address.protocol === 'https:' ? httpsProxy : httpProxy
  if (proxy === undefined || isLoopback(address.hostname)) return undefined
  return noProxy.some((pattern) => matches(address, pattern.toLowerCase())) ? undefined : new URL(proxy)
}

/**
 * Host and port of the proxy that an answer of an `http:` address may be from: nobody can tell it from one of the
 * address. A proxy that refuses a tunnel says so by itself.
 */
export function answeringProxy(address: URL, settings: ProxySettings): string | undefined {
  return address.protocol === 'http:' ? proxyFor(address, settings)?.host : undefined
}

/** Value of `Proxy-Authorization`; undefined for a proxy that wants none. */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return `Basic ${textToBase64(`${decoded(username)}:${decoded(password)}`)}`
}

/** Host and port as `CONNECT` and `NO_PROXY` spell them; IPv6 with its brackets. */
export function authorityOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
}

// A password with a bare `%` is meant as it stands.
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function matches(address: URL, pattern: string): boolean {
  if (pattern === '*') return true
  // IPv6 may stand without brackets, and then has no port.
  const isBareIpv6 = pattern.split(':').length > 2 && !pattern.startsWith('[')
  const [, host = pattern, port] = isBareIpv6 ? [] : (/^(.*):(\d+)$/.exec(pattern) ?? [])
  if (port !== undefined && authorityOf(address) !== `${address.hostname}:${port}`) return false
  const suffix = isBareIpv6 ? `[${host}]` : host.replace(/^\*?\./, '')
  return address.hostname === suffix || address.hostname.endsWith(`.${suffix}`)
}

/** Names of loopback (RFC 6761), and its addresses as URLs spell them. */
function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\]|127(?:\.\d+){3})$/.test(hostname)
}
