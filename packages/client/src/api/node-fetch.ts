import type { IncomingMessage } from 'node:http'
import { hostEnvironment } from '@svc/core/environment'
import { type NodeHttp, nodeHttp } from '@svc/core/node-http'
import { detectRuntime } from '@svc/core/runtime'
import { withTracingSuppressed } from '@svc/core/suppress-tracing'
import type { Transport } from '@svc/core/transport'

// Shared by all clients, because an application may create a client for each request.
const shared = new Map<string, NodeHttp>()

/**
 * Returns a `fetch` (the part of it that this package uses) whose sockets do not keep the process alive. It supports
 * proxies and certificates, and no instrumentation records its requests. Without `node:http` it is the global one.
 *
 * @param maxBytes of a response; a longer one is an error. Default: no limit, as for the global one
 */
export function nodeFetch(transport: Transport, maxBytes = Number.POSITIVE_INFINITY): typeof fetch {
  return (input, init = {}) => {
    const http = httpFor(transport)
    return withTracingSuppressed(() => (http ? exchange(http, String(input), init, maxBytes) : fetch(input, init)))
  }
}

function httpFor(transport: Transport): NodeHttp | undefined {
  const key = JSON.stringify(transport)
  const http = shared.get(key) ?? (detectRuntime(hostEnvironment).node ? nodeHttp(transport) : undefined)
  if (http) shared.set(key, http)
  return http
}

function exchange(
  http: NodeHttp,
  url: string,
  { method = 'GET', headers, body, signal }: RequestInit,
  maxBytes: number,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = http.open(url, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(signal && { signal }),
    })
    request.on('error', reject)
    let answer: Promise<void> | undefined
    request.on('response', (response) => {
      answer = collect(response, maxBytes).then(resolve, reject)
    })
    // Settled already in every known case; a promise that never settles would block a flush.
    request.on('close', () => {
      if (!answer) reject(new Error('the connection was closed without a response'))
    })
    request.end(body)
  })
}

async function collect(response: IncomingMessage, maxBytes: number): Promise<Response> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let seen = 0
  for await (const part of response) {
    seen += part.length
    if (seen > maxBytes) throw new Error('the response is too large')
    parts.push(part)
  }
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = response
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  // The constructor of `Response` rejects a body for these.
  const body = [204, 205, 304].includes(status) ? null : new Blob(parts)
  return new Response(body, { status, statusText, headers })
}
