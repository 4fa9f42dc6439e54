import { hostEnvironment } from '@svc/core/environment'
import { keepAlive } from '@svc/core/keep-alive'
import { nodeFetch } from '@svc/core/node-fetch'
import { proxyFor } from '@svc/core/proxy'
import { bodyOf } from '@svc/core/read-body'
import { transportOf } from '@svc/core/transport'

/** A response. Redirects are not followed: one could take a key to another host. */
export interface HttpResult {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Gets a URL. Rejects without a complete response, or if it is too large. */
export type Get = (url: URL, headers: Readonly<Record<string, string>>, limits: Limits) => Promise<HttpResult>

interface Limits {
  readonly signal: AbortSignal
  /** Milliseconds to the last byte. */
  readonly timeoutMs: number
}

/** Returns a getter that uses the proxy of the environment for `base`. The global `fetch` uses none. */
export function getterFor(base: URL): Get {
  const transport = transportOf(undefined, hostEnvironment)
  const send: typeof fetch = proxyFor(base, transport.proxy) ? nodeFetch(transport) : fetch
  return async (url, headers, { signal, timeoutMs }) => {
    const both = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const response = await keepAlive(send(url, { headers, redirect: 'manual', signal: both }), timeoutMs)
    return {
      status: response.status,
      headers: response.headers,
      text: new TextDecoder().decode(await bodyOf(response)),
    }
  }
}
