import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { builtin } from '../builtin.ts'
import { after } from '../timers.ts'
import { ANSWER_LIMIT, type Answer, NoAnswerError, type Request, type Sender } from './answer.ts'

// An answer larger than this is cut off together with its connection.
const DRAIN_LIMIT = 1_048_576

/** Sends over `node:http(s)`; undefined where that does not exist. Sockets and timers never keep the process alive. */
export function httpSender(): Sender | undefined {
  const http = builtin('node:http')
  const https = builtin('node:https')
  if (!http || !https) return undefined
  const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) }

  return {
    send(request) {
      const options = { method: request.method, headers: { ...request.headers, 'content-length': request.body.length } }
      return exchange(request, () =>
        request.url.startsWith('https:')
          ? https.request(request.url, { ...options, agent: agents.https })
          : http.request(request.url, { ...options, agent: agents.http }),
      )
    },
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

function exchange({ body, timeoutMs }: Request, open: () => ClientRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = open()
    const timer = after(timeoutMs, () => request.destroy(new NoAnswerError(timeoutMs)))
    request.on('socket', releaseProcess)
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

// Each attempt of connecting to a host with several addresses makes a new handle, which is ref'd again.
function releaseProcess(socket: Socket): void {
  socket.unref()
  if (socket.connecting) socket.on('connectionAttempt', () => socket.unref())
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
