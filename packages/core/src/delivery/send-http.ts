import type { IncomingMessage } from 'node:http'
import { type NodeHttp, nodeHttp } from '@svc/core/node-http'
import {
  BODY_LIMIT,
  concatBytes,
  type HttpRequest,
  type HttpResponse,
  type HttpSender,
  KEPT_HEADERS,
  NoResponseError,
} from '../http-exchange.ts'
import { own, ownFields } from '../own.ts'
import { after } from '../timers.ts'
import type { Transport } from '../transport.ts'

// A response larger than this is cut off together with its connection.
const DRAIN_LIMIT = 1_048_576

/**
 * Returns a sender over `node:http(s)`; undefined if the runtime does not have it. Its sockets and timers never keep
 * the process alive.
 */
export function httpSender(transport?: Transport): HttpSender | undefined {
  const http = nodeHttp(transport)
  return http && { send: (request) => exchange(request, http), close: () => http.close() }
}

function exchange({ method, url, headers, body, timeoutMs }: HttpRequest, http: NodeHttp): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const request = http.open(url, { method, headers: { ...headers, 'content-length': body.length } })
    const timer = after(timeoutMs, () => request.destroy(new NoResponseError(timeoutMs)))
    let answered = false
    request.on('response', (response) => {
      answered = true
      collect(response, (result) => {
        clearTimeout(timer)
        resolve(result)
      })
    })
    request.on('error', (error) => {
      if (!answered) reject(error)
    })
    request.on('close', () => {
      if (answered) return
      clearTimeout(timer)
      // Settled already in every known case; a promise that never settles would block a flush.
      reject(new Error('the connection was closed without a response'))
    })
    request.end(body)
  })
}

// A body that breaks off or never ends still resolves, with the status and `complete: false`.
function collect(response: IncomingMessage, resolve: (result: HttpResponse) => void): void {
  const parts: Uint8Array[] = []
  let length = 0
  response.on('data', (part: Uint8Array) => {
    if (length < BODY_LIMIT) parts.push(part.subarray(0, BODY_LIMIT - length))
    length += part.length
    if (length > DRAIN_LIMIT) response.destroy()
  })
  response.on('error', () => {})
  response.on('close', () => {
    const headers: Record<string, string> = ownFields({})
    for (const name of KEPT_HEADERS) {
      const value = own(response.headers, name)
      if (value !== undefined) headers[name] = value
    }
    const complete = response.complete && length <= BODY_LIMIT
    resolve({ status: response.statusCode ?? 0, headers, body: concatBytes(parts), complete })
  })
}
