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

/** Value of `Proxy-Authorization`; undefined for a proxy that wants none. */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}`
}

function matches({ hostname, port, protocol }: URL, pattern: string): boolean {
  if (pattern === '*') return true
  const [, host = pattern, only] = /^(.*):(\d+)$/.exec(pattern) ?? []
  if (only !== undefined && only !== (port || (protocol === 'https:' ? '443' : '80'))) return false
  const suffix = host.replace(/^\*?\./, '')
  return hostname === suffix || hostname.endsWith(`.${suffix}`)
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
