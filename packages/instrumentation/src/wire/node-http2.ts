import { subscribe } from 'node:diagnostics_channel'
import type { ClientHttp2Stream } from 'node:http2'
import { attempt } from '@svc/core/attempt'
import { asNumber, asRecord, asString, type Fields } from '../gen-ai/read.ts'
import { before } from './before.ts'
import type { WireFollower } from './follower.ts'

/** A request of `node:http2`: its stream, with the headers that it was made with. */
export interface Http2Request {
  readonly stream: ClientHttp2Stream
  readonly headers: Fields
  readonly path: string
}

/** Codes of a stream that ends without an error: `NO_ERROR` and `CANCEL`. RFC 9113, section 7. */
const ENDS_WITHOUT_ERROR = new Set([0, 8])

const exchanges = new WeakMap<object, WireFollower>()
let isListening = false

/**
 * Follows a request of `node:http2` by the channels on which it is published, and its chunks by methods of the stream that
 * are called with each of them. No listener is added, and nothing is read.
 */
export function followHttp2({ stream }: Http2Request, exchange: WireFollower): void {
  listen()
  exchanges.set(stream, exchange)
  exchange.sending(() => stream.session?.socket)
  for (const name of ['write', 'end']) before(stream, name, (chunk, encoding) => exchange.send(chunk, encoding))
  // Called with each chunk that has arrived, and with null at the end, which an early end has, too.
  before(stream, 'push', (chunk, encoding) => {
    if (chunk !== null) exchange.receive(chunk, encoding)
    else if (!stream.destroyed) exchange.done()
  })
  before(stream, '_destroy', (error) => {
    if (!error && ENDS_WITHOUT_ERROR.has(stream.rstCode ?? 0)) exchange.failed(lossOf(stream))
  })
}

/** Once, with the first request to a model: until then nobody listens. */
function listen(): void {
  if (isListening) return
  isListening = true
  on('finish', (exchange, message) => {
    const headers = asRecord(message.headers)
    exchange.responded(asNumber(headers[':status']) ?? 0, (name) => asString(headers[name]))
  })
  on('error', (exchange, { error }) => exchange.failed(error))
}

function on(name: string, tell: (exchange: WireFollower, message: Fields) => void): void {
  subscribe(`http2.client.stream.${name}`, (published) => {
    const message = published as Fields
    const exchange = exchanges.get(message.stream as object)
    if (exchange) attempt('follow a request', tell, exchange, message)
  })
}

/** The loss of the connection, which ends a stream without an error. Else the application has closed it. */
function lossOf({ session }: ClientHttp2Stream): Error | undefined {
  const isLost = session?.socket?.destroyed === true
  return isLost ? Object.assign(new Error('The connection was closed'), { code: 'ECONNRESET' }) : undefined
}
