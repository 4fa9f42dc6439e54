import type { HttpRequest, HttpResponse } from './http-exchange.ts'
import type { Transport } from './transport.ts'

/** A request to send, and the callback for its outcome. */
export interface Outgoing {
  readonly request: HttpRequest
  /** To be called once, with the response or the error; not called if the process ends first. */
  settle(outcome: HttpResponse | Error): void
}

/**
 * Requests that wait to be sent. Decides when each may be sent, and interprets the responses. The pump sends them while
 * the process runs, and the last hop when it ends.
 */
export interface Outbox {
  readonly transport: Transport
  /** Returns the next request; undefined if none may be sent now. */
  take(): Outgoing | undefined
  /**
   * Returns the milliseconds until {@link take} has a request: 0 if it has one now; undefined if a request in progress
   * has to settle first, or a new one has to be added.
   */
  wait(): number | undefined
}
