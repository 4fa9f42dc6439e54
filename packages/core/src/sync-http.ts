import type { SecureVersion } from 'node:tls'
import type { MessagePort } from 'node:worker_threads'
import { builtin } from './builtin.ts'
import { hostProcess } from './host-process.ts'
import { BODY_LIMIT, type HttpRequest, type HttpResponse, KEPT_HEADERS, NoResponseError } from './http-exchange.ts'
import { ownFields } from './own.ts'
import { authorityOf, proxyAuthorization, proxyFor } from './proxy.ts'
import { type Transport, tlsFor } from './transport.ts'

/** The outcome of a request: its response, or the error without one. */
export interface Exchanged {
  readonly id: number
  readonly outcome: HttpResponse | Error
}

/**
 * HTTP for a thread whose event loop does not run any more: a worker sends the requests, and the thread waits for
 * responses with `Atomics.wait`. Created in the `exit` event, so it costs nothing before.
 */
export interface SyncHttp {
  send(id: number, request: HttpRequest, transport: Transport): void
  /** Waits for responses, at most `waitMs`; may return none. */
  receive(waitMs: number): Exchanged[]
  close(): void
}

/** Whether Node's permission model lets this process start workers. */
export function mayStartWorker(): boolean {
  return hostProcess()?.permission?.has('worker') !== false
}

/** Starts the worker; undefined if that is not allowed (permission model) or not possible (other runtimes). */
export function syncHttp(): SyncHttp | undefined {
  const threads = builtin('node:worker_threads')
  if (!threads || !mayStartWorker()) return undefined
  const { MessageChannel, receiveMessageOnPort, Worker } = threads
  const { port1: port, port2 } = new MessageChannel()
  const arrived = new Int32Array(new SharedArrayBuffer(4))
  let seen = 0
  try {
    const worker = new Worker(
      SENDER,
      ownFields({
        eval: true,
        name: 'svc exit',
        // No variables and no flags, because a preload in them would start in the worker, too.
        env: {},
        execArgv: [],
        workerData: { port: port2, arrived, KEPT_HEADERS, BODY_LIMIT },
        transferList: [port2],
      }),
    )
    // If the process does not end, the worker must not affect it.
    worker.on('error', () => {})
    worker.unref()
  } catch {
    return undefined
  }
  return {
    send: (id, request, transport) => port.postMessage({ id, request, ...routeOf(request, transport) }),
    receive(waitMs) {
      Atomics.wait(arrived, 0, seen, waitMs)
      seen = Atomics.load(arrived, 0)
      return received(port, receiveMessageOnPort)
    },
    close: () => port.close(),
  }
}

function received(port: MessagePort, receive: (port: MessagePort) => { message: unknown } | undefined): Exchanged[] {
  const all: Exchanged[] = []
  for (let next = receive(port); next; next = receive(port)) {
    const { id, response, error } = next.message as { id: number; response?: HttpResponse; error?: WorkerError }
    all.push({ id, outcome: response ? { ...response, headers: ownFields(response.headers) } : errorOf(error) })
  }
  return all
}

/** An error from the worker, as plain data: a cloned error would only keep its message. */
interface WorkerError {
  readonly message: string
  readonly code?: string
  readonly timeoutMs?: number
}

function errorOf({ timeoutMs, ...error }: WorkerError = { message: 'unknown error' }): Error {
  return timeoutMs === undefined ? Object.assign(new Error(), error) : new NoResponseError(timeoutMs)
}

/** Returns the proxy and certificates of a request, for the worker. */
function routeOf({ url }: HttpRequest, transport: Transport) {
  const address = new URL(url)
  const proxy = proxyFor(address, transport.proxy)
  return {
    authority: authorityOf(address),
    tls: { ...trustOf(address), ...tlsFor(address, transport), rejectUnauthorized: transport.rejectUnauthorized },
    proxy: proxy && { href: proxy.origin, host: proxy.host, authorization: proxyAuthorization(proxy) },
  }
}

/**
 * Returns the certificates that only this thread trusts: those of the system (`--use-system-ca`) or of the application
 * (`tls.setDefaultCACertificates`). Every thread trusts those of `NODE_EXTRA_CA_CERTS`.
 */
function trustOf({ protocol }: URL): { ca?: string[]; minVersion?: SecureVersion } {
  const tls = protocol === 'https:' ? builtin('node:tls') : undefined
  // Only Node has this function.
  if (typeof tls?.getCACertificates !== 'function') return {}
  const [all, bundled, extra] = (['default', 'bundled', 'extra'] as const).map((type) => tls.getCACertificates(type))
  const isUsual = all?.length === (bundled?.length ?? 0) + (extra?.length ?? 0)
  return { minVersion: tls.DEFAULT_MIN_VERSION, ...(all && !isUsual && { ca: all }) }
}

// A string and not a file, which bundlers, archives (Yarn's, Electron's) and single executables would lose. It does the
// same as node-http.ts and send-http.ts, without unref'ing sockets.
const SENDER = `
'use strict'
const { workerData } = require('node:worker_threads')
const { port, arrived, KEPT_HEADERS, BODY_LIMIT } = workerData
const http = require('node:http')
const https = require('node:https')
const { isIP } = require('node:net')
const { connect } = require('node:tls')

const agents = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) }
const tunnels = new https.Agent({ keepAlive: true })
tunnels.createConnection = ({ proxy, authority, ...options }, done) => {
  const headers = headersFor(proxy, { host: authority })
  openBy(proxy, { method: 'CONNECT', path: authority, headers, agent: false }, options)
    .once('error', done)
    .once('connect', ({ statusCode }, socket) => {
      try {
        if (statusCode < 200 || statusCode > 299) throw new Error('the proxy ' + proxy.host + ' answered ' + statusCode)
        done(null, connect({ ...options, socket }))
      } catch (error) {
        socket.destroy()
        done(error)
      }
    })
    .end()
}

port.on('message', ({ id, request: { url, method, headers, body, timeoutMs }, ...route }) => {
  let partial
  let answered = false
  const answer = (message) => {
    if (answered) return
    answered = true
    clearTimeout(timer)
    port.postMessage({ id, ...message })
    Atomics.add(arrived, 0, 1)
    Atomics.notify(arrived, 0)
  }
  // A response that has begun leaves its status, and that it is not complete.
  const fail = (error) => answer(partial ? { response: partial() } : { error })
  const timer = setTimeout(() => fail({ timeoutMs }), timeoutMs)
  try {
    start(new URL(url), { method, headers: { ...headers, 'content-length': body.length } }, route)
      .on('response', (response) => {
        partial = collect(response, () => answer({ response: partial() }))
      })
      .on('error', ({ message, code }) => fail({ message, code }))
      .end(body)
  } catch ({ message, code }) {
    fail({ message, code })
  }
})

function start(url, options, { proxy, authority, tls }) {
  if (!proxy && url.protocol === 'http:') return http.request(url, { ...options, agent: agents['http:'] })
  if (!proxy) return https.request(url, { ...options, ...tls, agent: agents['https:'] })
  if (url.protocol === 'https:') return https.request(url, { ...options, ...tls, proxy, authority, agent: tunnels })
  const headers = headersFor(proxy, { ...options.headers, host: url.host })
  const { protocol } = new URL(proxy.href)
  return openBy(proxy, { ...options, path: url.href, headers, agent: agents[protocol] }, tls)
}

function openBy(proxy, options, { rejectUnauthorized }) {
  const url = new URL(proxy.href)
  if (url.protocol === 'http:') return http.request(url, options)
  const host = url.hostname.replace(/^\\[|\\]$/g, '')
  return https.request(url, { ...options, rejectUnauthorized, servername: isIP(host) ? '' : host })
}

function headersFor({ authorization }, headers) {
  return authorization ? { ...headers, 'proxy-authorization': authorization } : headers
}

/** Returns a function that gives what has arrived of a response. */
function collect(response, done) {
  const parts = []
  let length = 0
  response.on('data', (part) => {
    parts.push(part.subarray(0, Math.max(0, BODY_LIMIT - length)))
    length += part.length
    if (length > BODY_LIMIT) response.destroy()
  })
  response.on('error', () => {})
  response.on('close', done)
  return () => {
    const headers = {}
    for (const name of KEPT_HEADERS) if (response.headers[name] !== undefined) headers[name] = response.headers[name]
    const complete = response.complete && length <= BODY_LIMIT
    return { status: response.statusCode, headers, body: new Uint8Array(Buffer.concat(parts)), complete }
  }
}
`
