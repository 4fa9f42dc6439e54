import type { IncomingMessage } from 'node:http'
import { hostEnvironment } from '@svc/core/environment'
import { quietly } from '@svc/core/quietly'
import { detectRuntime } from '@svc/core/runtime'
import { type UnrefHttp, unrefHttp } from '@svc/core/unref-http'

const ANSWER_LIMIT = 4 * 1_048_576

// One for all clients: one that is made for each request of an application would leave its connection behind.
let shared: UnrefHttp | undefined

/**
 * A `fetch` for what nobody waits for, as far as this package uses one: its sockets keep no process alive, and no
 * instrumentation makes spans of it. Where there is no `node:http`, the global one.
 */
export const backgroundFetch: typeof fetch = (input, init = {}) => {
  shared ??= detectRuntime(hostEnvironment).node ? unrefHttp() : undefined
  const http = shared
  return quietly(() => (http ? exchange(http, String(input), init) : fetch(input, init)))
}

function exchange(http: UnrefHttp, url: string, { method = 'GET', headers, body, signal }: RequestInit) {
  return new Promise<Response>((resolve, reject) => {
    const request = http.open(url, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(signal && { signal }),
    })
    request.on('error', reject)
    let answer: Promise<void> | undefined
    request.on('response', (response) => {
      answer = collect(response).then(resolve, reject)
    })
    // Settled already in every known course of events; a promise that never settles would hang a flush.
    request.on('close', () => {
      if (!answer) reject(new Error('the connection was closed without an answer'))
    })
    request.end(body)
  })
}

async function collect(response: IncomingMessage): Promise<Response> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let seen = 0
  for await (const part of response) {
    seen += part.length
    if (seen > ANSWER_LIMIT) throw new Error('the answer is longer than any of the service')
    parts.push(part)
  }
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = response
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  // These have no body, says the constructor.
  const body = [204, 205, 304].includes(status) ? null : new Blob(parts)
  return new Response(body, { status, statusText, headers })
}
