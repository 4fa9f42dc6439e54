import { keepAlive } from '@svc/core/keep-alive'
import { answeringProxy, proxyFor } from '@svc/core/proxy'
import { serviceHeaders } from '@svc/core/service-headers'
import { after } from '@svc/core/timers'
import { nodeFetch } from './api/node-fetch.ts'
import type { Connection } from './api/send.ts'
import type { ClientSettings } from './client-settings.ts'
import { hostClock } from './clock.ts'

/** Seconds that a call of `client.api` may take (contract 3.7). */
const CALL_LIMIT = 60

/** The way to the service for those who wait for an answer. */
export function connection(settings: ClientSettings, timeoutInSeconds = CALL_LIMIT): Connection {
  return {
    baseUrl: settings.baseUrl,
    proxy: settings.baseUrl && answeringProxy(new URL(settings.baseUrl), settings.transport.proxy),
    headers: serviceHeaders(settings),
    timeoutInSeconds,
    fetch: needsNodeFetch(settings) ? waitedFor(settings, timeoutInSeconds) : globalFetch,
    clock: hostClock,
  }
}

/** The way for what goes on in the background: neither its sockets nor its pauses keep the process alive. */
export function backgroundConnection(settings: ClientSettings): Connection {
  return {
    ...connection(settings, settings.timeout),
    fetch: nodeFetch(settings.transport),
    clock: { ...hostClock, sleep: (ms) => new Promise((resolve) => after(ms, () => resolve())) },
  }
}

// Looked up for each request: tests and tools replace it.
const globalFetch: typeof fetch = (input, init) => fetch(input, init)

// The global one knows neither certificates of one service nor, on every Node that we run on, proxies.
function needsNodeFetch({ baseUrl, transport }: ClientSettings): boolean {
  return (
    baseUrl !== undefined && (transport.tls !== undefined || proxyFor(new URL(baseUrl), transport.proxy) !== undefined)
  )
}

function waitedFor({ transport }: ClientSettings, timeoutInSeconds: number): typeof fetch {
  const background = nodeFetch(transport)
  return (input, init) => keepAlive(background(input, init), timeoutInSeconds * 1_000)
}
