import { subscribe } from 'node:diagnostics_channel'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'

/** Runs each request in its own context. */
export interface RequestFollower {
  http1(message: Http1Request): void
  http2(message: Http2Request): void
}

interface Http1Request {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Http2Request {
  readonly stream: ServerHttp2Stream
  readonly headers: IncomingHttpHeaders
}

/**
 * Passes every HTTP request of this process to its follower, without loading or patching `http`: Node publishes each
 * request on a diagnostics channel (HTTP/2 since Node 22.20 and 24.2).
 */
export function listenToRequests(follower: () => RequestFollower | undefined): void {
  // A request that cannot be followed is still served.
  subscribe('http.server.request.start', (message) => {
    try {
      follower()?.http1(message as Http1Request)
    } catch {}
  })
  subscribe('http2.server.stream.start', (message) => {
    try {
      follower()?.http2(message as Http2Request)
    } catch {}
  })
}
