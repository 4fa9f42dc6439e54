import { subscribe } from 'node:diagnostics_channel'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Describe, InvocationDescription } from './http-root/served.ts'

/** Runs each request in its own context. */
export interface RequestFollower {
  http1(message: Http1Request): void
  http2(message: Http2Request): void
  /**
   * Begins an invocation of a function.
   *
   * @param headers of the request that it is, in lower case
   * @param describe returns what its root says of it now
   */
  invocation(headers: IncomingHttpHeaders, describe: () => InvocationDescription): FollowedCall
  /** Begins a request that a function of the application serves. */
  web(headers: IncomingHttpHeaders, describe: Describe): FollowedCall
  /** A server of this process listens, where the runtime shows no connections. */
  listens(port: unknown): void
}

/** A request or an invocation, which is called in its context. */
export interface FollowedCall {
  /** Runs `work` in its context. */
  run<T>(work: () => T): T
  /** It is over. */
  done(): void
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
