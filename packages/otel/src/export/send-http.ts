import type { IncomingMessage } from 'node:http'
import { after } from '@svc/core/timers'
import { type UnrefHttp, unrefHttp } from '@svc/core/unref-http'
import { ANSWER_LIMIT, type Answer, NoAnswerError, type Request, type Sender } from './answer.ts'

// An answer larger than this is cut off together with its connection.
const DRAIN_LIMIT = 1_048_576

/** Sends over `node:http(s)`; undefined where that does not exist. Sockets and timers never keep the process alive. */
export function httpSender(): Sender | undefined {
  const http = unrefHttp()
  return http && { send: (request) => exchange(request, http), close: () => http.close() }
}

function exchange({ method, url, headers, body, timeoutMs }: Request, http: UnrefHttp): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.open(url, { method, headers: { ...headers, 'content-length': body.length } })
    const timer = after(timeoutMs, () => request.destroy(new NoAnswerError(timeoutMs)))
    let answered = false
    request.on('response', (response) => {
      answered = true
      collect(response, (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
    })
    request.on('error', (error) => {
      if (!answered) reject(error)
    })
    request.on('close', () => {
      if (answered) return
      clearTimeout(timer)
      // Settled already in every known course of events; a promise that never settles would hang a flush.
      reject(new Error('the connection was closed without an answer'))
    })
    request.end(body)
  })
}

// The status decides. A body that breaks off or never ends changes nothing about it.
function collect(response: IncomingMessage, resolve: (answer: Answer) => void): void {
  const kept: Uint8Array[] = []
  let seen = 0
  response.on('data', (chunk: Uint8Array) => {
    if (seen < ANSWER_LIMIT) kept.push(chunk.subarray(0, ANSWER_LIMIT - seen))
    seen += chunk.length
    if (seen > DRAIN_LIMIT) response.destroy()
  })
  response.on('error', () => {})
  response.on('close', () =>
    resolve({
      status: response.statusCode ?? 0,
      retryAfter: response.headers['retry-after'],
      location: response.headers.location,
      text: new TextDecoder().decode(concatenated(kept)),
    }),
  )
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
