import type { HttpSender } from '../http-exchange.ts'
import type { HostRuntime } from '../runtime.ts'
import type { Transport } from '../transport.ts'
import { fetchSender } from './send-fetch.ts'
import { httpSender } from './send-http.ts'

/**
 * Returns the sender for the runtime: keep-alive sockets that do not keep the process alive on Node.js and Bun, `fetch`
 * elsewhere.
 */
export function senderFor(runtime: HostRuntime, transport: Transport): HttpSender {
  return (runtime.node ? httpSender(transport) : undefined) ?? fetchSender()
}
