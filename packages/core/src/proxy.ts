import { textToBase64 } from './base64.ts'

/** The parsed values of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */
export interface ProxySettings {
  /** For `http:` addresses. */
  readonly httpProxy: string | undefined
  /** For `https:` addresses. */
  readonly httpsProxy: string | undefined
  /** Hosts without a proxy: `host`, `.suffix`, `*.suffix`, `host:port`, or `*` for all. */
  readonly noProxy: readonly string[]
}

/**
 * Returns the proxy for an address; undefined if there is none. Loopback addresses never have one, as in Go's
 * `http.ProxyFromEnvironment`.
 */
export function proxyFor(address: URL, { httpProxy, httpsProxy, noProxy }: ProxySettings): URL | undefined {
  const proxy = address.protocol === 'https:' ? httpsProxy : httpProxy
  if (proxy === undefined || isLoopback(address.hostname)) return undefined
  return noProxy.some((pattern) => matches(address, pattern.toLowerCase())) ? undefined : new URL(proxy)
}

/**
 * Returns host and port of the proxy that may have sent the response of an `http:` address: its responses look like
 * those of the address. For `https:`, a proxy that refuses a tunnel has its own error.
 */
export function answeringProxy(address: URL, settings: ProxySettings): string | undefined {
  return address.protocol === 'http:' ? proxyFor(address, settings)?.host : undefined
}

/** Returns the value of `Proxy-Authorization`; undefined for a proxy without credentials. */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return `Basic ${textToBase64(`${decoded(username)}:${decoded(password)}`)}`
}

/** Returns host and port in the format of `CONNECT` and `NO_PROXY`; IPv6 with brackets. */
export function authorityOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
}

/** Decodes what is percent-encoded. A password may contain a `%` that is not an escape. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function matches(address: URL, pattern: string): boolean {
  if (pattern === '*') return true
  // An IPv6 address without brackets has no port.
  const isBareIpv6 = pattern.split(':').length > 2 && !pattern.startsWith('[')
  const [, host = pattern, port] = isBareIpv6 ? [] : (/^(.*):(\d+)$/.exec(pattern) ?? [])
  if (port !== undefined && authorityOf(address) !== `${address.hostname}:${port}`) return false
  const suffix = isBareIpv6 ? `[${host}]` : host.replace(/^\*?\./, '')
  return address.hostname === suffix || address.hostname.endsWith(`.${suffix}`)
}

/** Whether a host name of a URL is a loopback name (RFC 6761) or address. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\]|127(?:\.\d+){3})$/.test(hostname)
}
