import type { Headers } from '@svc/core/service-headers'

/** One HTTP request with all of its body at hand. */
export interface Request {
  readonly method: 'POST' | 'PUT' | 'PATCH'
  readonly url: string
  readonly headers: Headers
  readonly body: Uint8Array<ArrayBuffer>
  /** Milliseconds until the last byte of the answer, not until the next one. */
  readonly timeoutMs: number
}

/** What came back. Redirects are answers too: they are never followed. */
export interface Answer {
  readonly status: number
  readonly retryAfter?: string | undefined
  readonly location?: string | undefined
  /** The beginning of the body, at most {@link ANSWER_LIMIT} bytes of it. */
  readonly text: string
}

/** Sends, and resolves with any HTTP answer; rejects when there was none. */
export interface Sender {
  send(request: Request): Promise<Answer>
  close(): void
}

/** Bytes of an answer's body that are kept. */
export const ANSWER_LIMIT = 65_536

/** Rejection of a request that ran out of its time. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  constructor(timeoutMs: number) {
    super(`no answer within ${Number((timeoutMs / 1_000).toPrecision(2))} s`)
  }
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300
}

export function isRedirect({ status }: Answer): boolean {
  return status >= 300 && status < 400
}
