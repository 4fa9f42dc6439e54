import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { attempt } from '@svc/core/attempt'
import { asString, type Fields } from '../gen-ai/read.ts'
import { before } from './before.ts'
import type { WireFollower } from './follower.ts'

interface FollowedExchange {
  readonly exchange: WireFollower
  /** Set when the application destroyed the request: why, if it said so. */
  destroyed?: { readonly reason: unknown }
}

const followedRequests = new WeakMap<object, FollowedExchange>()
let isListening = false

/**
 * Follows a request of `node:http` and `node:https` by the channels on which it is published, and its chunks by methods of
 * the request and response objects that are called with each of them. No listener is added, and nothing is read.
 */
export function followHttp(request: ClientRequest, exchange: WireFollower): void {
  listen()
  const followed: FollowedExchange = { exchange }
  followedRequests.set(request, followed)
  exchange.sending(() => request.socket)
  for (const name of ['write', 'end']) {
    before(request, name, (chunk, encoding) => exchange.send(chunk, encoding))
  }
  before(request, 'destroy', (reason) => {
    // Who leaves a loop over the response has Node abort the request; AWS's clients destroy it when they are aborted.
    followed.destroyed ??= { reason: reason ?? (request.aborted ? undefined : WITHOUT_REASON) }
  })
}

/** Once, with the first request to a model: until then nobody listens. */
function listen(): void {
  if (isListening) return
  isListening = true
  on('response.finish', (followed, { response }) => followResponse(response as IncomingMessage, followed))
  on('request.error', ({ exchange, destroyed }, { error }) => exchange.failed(destroyed ? destroyed.reason : error))
}

function on(name: string, tell: (followed: FollowedExchange, message: Fields) => void): void {
  subscribe(`http.client.${name}`, (published) => {
    const message = published as Fields
    const followed = followedRequests.get(message.request as object)
    if (followed) attempt('follow a request', tell, followed, message)
  })
}

function followResponse(response: IncomingMessage, followed: FollowedExchange): void {
  const { exchange } = followed
  exchange.responded(response.statusCode ?? 0, (name) => asString(response.headers[name]))
  // Called with each chunk that the parser found, and with null at the end.
  before(response, 'push', (chunk, encoding) => {
    if (chunk !== null) exchange.receive(chunk, encoding)
    else if (response.complete) exchange.done()
  })
  // Called once, also where the application stops reading.
  before(response, '_destroy', (error) => {
    if (response.complete) exchange.done()
    else exchange.failed(followed.destroyed ? followed.destroyed.reason : error)
  })
}

/** Of an end that somebody asked for, and did not explain. */
const WITHOUT_REASON = {}
