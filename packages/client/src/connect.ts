import { serviceHeaders } from '@svc/core/service-headers'
import { after } from '@svc/core/timers'
import { backgroundFetch } from './api/background-fetch.ts'
import type { Connection } from './api/send.ts'
import { hostClock } from './clock.ts'
import type { ClientSettings } from './options.ts'

/** Seconds that a call of `client.api` may take (contract 3.7). */
const CALL_LIMIT = 60

/** The way to the service for those who wait for an answer. */
export function connection(settings: ClientSettings, timeoutInSeconds = CALL_LIMIT): Connection {
  return {
    baseUrl: settings.baseUrl,
    headers: serviceHeaders(settings),
    timeoutInSeconds,
    // Looked up for each request: tests and tools replace it.
    fetch: (input, init) => fetch(input, init),
    clock: hostClock,
  }
}

/** The way for what goes on in the background: neither its sockets nor its pauses keep the process alive. */
export function backgroundConnection(settings: ClientSettings): Connection {
  return {
    ...connection(settings, settings.timeout),
    fetch: backgroundFetch,
    clock: { ...hostClock, sleep: (ms) => new Promise((resolve) => after(ms, () => resolve())) },
  }
}
