import { type NodeHttp, nodeHttp, type TlsTrust } from '@svc/core/node-http'
import {
  BODY_LIMIT,
  type HttpRequest,
  type HttpResponse,
  type HttpSender,
  keptHeaders,
  NoResponseError,
} from '../http-exchange.ts'
import { own } from '../own.ts'
import { beginningOf, responseTo } from '../read-body.ts'
import { after } from '../timers.ts'
import type { Transport } from '../transport.ts'

/**
 * Returns a sender over `node:http(s)`; undefined if the runtime does not have it. Its sockets and timers never keep
 * the process alive.
 */
export function httpSender(transport: Transport, trust?: TlsTrust): HttpSender | undefined {
  const http = nodeHttp(transport, trust)
  return http && { send: (request) => exchange(request, http), close: () => http.close() }
}

async function exchange({ method, url, headers, body, timeoutMs }: HttpRequest, http: NodeHttp): Promise<HttpResponse> {
  const request = http.open(url, { method, headers: { ...headers, 'content-length': body.length } })
  const timer = after(timeoutMs, () => request.destroy(new NoResponseError(timeoutMs)))
  try {
    const response = await responseTo(request.end(body))
    // Of a response that breaks off, the status is known.
    const { body: read, complete } = await beginningOf(response, BODY_LIMIT)
    const kept = keptHeaders((name) => own(response.headers, name))
    return { status: response.statusCode ?? 0, headers: kept, body: read, complete }
  } finally {
    clearTimeout(timer)
  }
}
