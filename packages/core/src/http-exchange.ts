import type { Bytes } from './bytes.ts'
import { ownFields } from './own.ts'

/** An HTTP request with its whole body. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Bytes
  /** Milliseconds until the last byte of the response, not until the next one. */
  readonly timeoutMs: number
}

/** A response. Redirects are responses too: they are never followed. */
export interface HttpResponse {
  readonly status: number
  /** The headers named in {@link KEPT_HEADERS}. */
  readonly headers: Readonly<Partial<Record<KeptHeader, string>>>
  /** The beginning of the body, at most {@link BODY_LIMIT} bytes. */
  readonly body: Uint8Array
  /** Whether `body` is the whole body: false if the connection broke, or if the body is longer. */
  readonly complete: boolean
}

/** Sends requests. `send` resolves with any HTTP response and rejects without one. */
export interface HttpSender {
  /**
   * Whether the runtime ends a request with the application's own request in which it was sent. Nothing settles then, and
   * no timer fires: Cloudflare Workers bind both to the request they come from.
   */
  readonly isCutOff?: true
  send(request: HttpRequest): Promise<HttpResponse>
  /** Closes the connections. */
  close(): void
}

/** Response headers that are kept. */
const KEPT_HEADERS = ['content-type', 'date', 'location', 'retry-after'] as const
type KeptHeader = (typeof KEPT_HEADERS)[number]

/** Returns the headers that are kept. @param read returns the value of a header, if there is one */
export function keptHeaders(read: (name: KeptHeader) => string | null | undefined): HttpResponse['headers'] {
  const headers: Partial<Record<KeptHeader, string>> = ownFields({})
  for (const name of KEPT_HEADERS) {
    const value = read(name)
    if (typeof value === 'string') headers[name] = value
  }
  return headers
}

/** Bytes of a response body that are kept. */
export const BODY_LIMIT = 65_536

/** Thrown when a request timed out. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError'
  constructor(timeoutMs: number) {
    super(`no answer within ${Number((timeoutMs / 1_000).toPrecision(2))} s`)
  }
}

export function isSuccess({ status }: Pick<HttpResponse, 'status'>): boolean {
  return status >= 200 && status < 300
}

export function isRedirect({ status }: Pick<HttpResponse, 'status'>): boolean {
  return status >= 300 && status < 400
}

/** Concatenates the parts of a body. */
export function concatBytes(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Returns the beginning of the body as text. */
export function bodyText({ body }: HttpResponse): string {
  return new TextDecoder().decode(body)
}

// `Date.parse` of V8 also accepts `-1` and "in 5".
const HTTP_DATE = /^[a-z]{3,9},? .*\d\d:\d\d:\d\d/i

/** Longest pause that a response can request, in milliseconds: a wrong header must not stop delivery for good. */
export const LONGEST_RETRY_AFTER_MS = 3_600_000

/**
 * Returns `Retry-After` (seconds or an HTTP date) as milliseconds from now, at most an hour; undefined if absent or
 * invalid.
 */
export function retryAfterMs({ headers }: Pick<HttpResponse, 'headers'>, now: number = Date.now()): number | undefined {
  const text = headers['retry-after']?.trim()
  if (!text) return undefined
  const areSeconds = /^\d+$/.test(text)
  if (!areSeconds && !HTTP_DATE.test(text)) return undefined
  // Relative to the server's clock if it sent a `date`: ours may be wrong.
  const sent = Date.parse(headers.date ?? '')
  const pause = areSeconds ? Number(text) * 1_000 : Date.parse(text) - (Number.isNaN(sent) ? now : sent)
  return Number.isNaN(pause) ? undefined : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, pause))
}
