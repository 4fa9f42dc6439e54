import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { attempt } from '@svc/core/attempt'
import { isMethod, overrideMethod } from '@svc/core/override-method'
import { asNumber, asRecord, asString, type Fields } from '../gen-ai/read.ts'
import type { WireFollower } from './follower.ts'

/** A request of undici, which `fetch` is. */
export interface UndiciRequest {
  readonly origin: unknown
  readonly path: string
  /** Alternating names and values; in older versions the raw header text. */
  readonly headers: readonly unknown[] | string
  readonly method?: unknown
  readonly upgrade?: unknown
}

const exchanges = new WeakMap<object, WireFollower>()
let isListening = false

/**
 * Follows a request of undici by the channels on which it is published, and its chunks by methods of the request object,
 * which undici calls with each of them. Nothing of the application's own is replaced.
 */
export function followUndici(request: UndiciRequest, exchange: WireFollower): void {
  listen()
  exchanges.set(request, exchange)
  follow(request, 'onBodySent', (chunk) => exchange.send(chunk))
  // Renamed in undici 8, where the first argument is a controller.
  for (const name of ['onData', 'onResponseData']) follow(request, name, (chunk) => exchange.receive(chunk))
}

/** Passes the chunk that a method is called with. */
function follow(request: object, name: string, pass: (chunk: unknown) => void): void {
  const { [name]: method } = request as Fields
  if (!isMethod(method)) return
  overrideMethod(request, name, function (...args) {
    for (const arg of args) {
      if (typeof arg === 'string' || arg instanceof Uint8Array) attempt('keep a chunk', pass, arg)
    }
    return method.apply(this, args)
  })
}

/** Once, with the first request to a model: until then nobody listens. */
function listen(): void {
  if (isListening) return
  isListening = true
  on('client:sendHeaders', (exchange, { socket }) => exchange.sending(() => socket as Socket))
  on('request:headers', (exchange, { response }) => {
    const { statusCode, headers } = asRecord(response)
    exchange.responded(asNumber(statusCode) ?? 0, (name) => headerIn(headers, name))
  })
  on('request:trailers', (exchange) => exchange.done())
  on('request:error', (exchange, { error }) => exchange.failed(error))
}

function on(name: string, tell: (exchange: WireFollower, message: Fields) => void): void {
  subscribe(`undici:${name}`, (published) => {
    const message = asRecord(published)
    const { request } = message
    const exchange = exchanges.get(request as object)
    if (exchange) attempt('follow a request', tell, exchange, message)
  })
}

/** Returns a header, whose names and values are bytes or texts, in a list or in an object. */
export function headerIn(headers: unknown, name: string): string | undefined {
  if (typeof headers === 'string') return new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1]
  if (!Array.isArray(headers)) return asString(asRecord(headers)[name])
  for (let at = 0; at < headers.length; at += 2) {
    if (String(headers[at]).toLowerCase() === name) return String(headers[at + 1])
  }
  return undefined
}
