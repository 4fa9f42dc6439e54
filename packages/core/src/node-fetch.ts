import { type NodeHttp, nodeHttp } from '@svc/core/node-http'
import { hostEnvironment } from './environment.ts'
import { isSuccess } from './http-exchange.ts'
import { responseTo, wholeBody } from './read-body.ts'
import { detectRuntime } from './runtime.ts'
import { withTracingSuppressed } from './suppress-tracing.ts'
import type { Transport } from './transport.ts'

// Shared by all clients, because an application may create a client for each request.
const shared = new Map<string, NodeHttp>()

/**
 * Returns a `fetch` (the part of it that clients use) whose sockets do not keep the process alive. It supports proxies
 * and certificates, no instrumentation records its requests, and it resolves with the whole body, which is bounded.
 * Without `node:http` it is the global one.
 *
 * @param maxBytes of the body of a success; a longer one is an error
 */
export function nodeFetch(transport: Transport, maxBytes?: number): typeof fetch {
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

async function exchange(
  http: NodeHttp,
  url: string,
  { method = 'GET', headers, body: sent, signal }: RequestInit,
  maxBytes: number | undefined,
): Promise<Response> {
  const fields = Object.fromEntries(new Headers(headers))
  const response = await responseTo(http.open(url, { method, headers: fields, ...(signal && { signal }) }).end(sent))
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = response
  const whole = await wholeBody(response, isSuccess({ status }), maxBytes)
  const received = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  // The constructor of `Response` rejects a body for these.
  const body = [204, 205, 304].includes(status) ? null : whole
  return new Response(body, { status, statusText, headers: received })
}
