import type { Runtime } from '@svc/core/runtime'
import type { Sender } from './answer.ts'
import { fetchSender } from './send-fetch.ts'
import { httpSender } from './send-http.ts'

/** The sender that fits the host: keep-alive sockets that hold no process open on Node.js and Bun, `fetch` elsewhere. */
export function senderFor(runtime: Runtime): Sender {
  return (runtime.node ? httpSender() : undefined) ?? fetchSender()
}
