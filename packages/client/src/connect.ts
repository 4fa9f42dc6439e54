import { keepAlive } from '@svc/core/keep-alive'
import { nodeFetch } from '@svc/core/node-fetch'
import { proxyFor } from '@svc/core/proxy'
import { serviceHeaders } from '@svc/core/service-headers'
import { after } from '@svc/core/timers'
import type { ApiConnection } from './api/send.ts'
import type { ClientSettings } from './client-settings.ts'
import { hostClock } from './clock.ts'

/** Time-out of a call of `client.api` in seconds (contract 3.7). */
const CALL_LIMIT = 60
/** Maximum bytes of a response in the background, where only prompts are fetched. */
const BACKGROUND_BYTES = 4 * 1_048_576

/** Returns the connection for calls whose result the application awaits. */
export function connection(settings: ClientSettings, timeoutInSeconds = CALL_LIMIT): ApiConnection {
  return {
    baseUrl: settings.baseUrl,
    proxy: settings.transport.answering,
    headers: serviceHeaders(settings),
    timeoutInSeconds,
    fetch: needsNodeFetch(settings) ? waitedFor(settings, timeoutInSeconds) : globalFetch,
    clock: hostClock,
  }
}

/** Returns the connection for requests in the background: its sockets and pauses do not keep the process alive. */
export function backgroundConnection(settings: ClientSettings): ApiConnection {
  return {
    ...connection(settings, settings.timeout),
    fetch: nodeFetch(settings.transport, BACKGROUND_BYTES),
    clock: { ...hostClock, sleep: (ms) => new Promise((resolve) => after(ms, () => resolve())) },
  }
}

// Looked up for each request, because tests and tools replace it.
const globalFetch: typeof fetch = (input, init) => fetch(input, init)

// The global `fetch` does not support certificates for one host, nor, on older versions of Node, proxies.
function needsNodeFetch({ baseUrl, transport }: ClientSettings): boolean {
  return (
    baseUrl !== undefined && (transport.tls !== undefined || proxyFor(new URL(baseUrl), transport.proxy) !== undefined)
  )
}

function waitedFor({ transport }: ClientSettings, timeoutInSeconds: number): typeof fetch {
  const background = nodeFetch(transport)
  return (input, init) => keepAlive(background(input, init), timeoutInSeconds * 1_000)
}
