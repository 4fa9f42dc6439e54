import type { HttpSender } from '@svc/core/http-exchange'
import type { Runtime } from '@svc/core/runtime'
import type { Transport } from '@svc/core/transport'
import { fetchSender } from './send-fetch.ts'
import { httpSender } from './send-http.ts'

/** The sender that fits the host: keep-alive sockets that hold no process open on Node.js and Bun, `fetch` elsewhere. */
export function senderFor(runtime: Runtime, transport: Transport): HttpSender {
  return (runtime.node ? httpSender(transport) : undefined) ?? fetchSender()
}
