import { foreignText } from '../foreign-text.ts'
import { bodyText, type HttpResponse, isRedirect, isSuccess, NoResponseError, retryAfterMs } from '../http-exchange.ts'
import { messageIn } from '../log.ts'
import type { Cause } from '../losses.ts'
import { isRetriable } from '../retry.ts'
import type { Transport } from '../transport.ts'
import { capitalized, type Noun } from './noun.ts'

/** The meaning of a response, or of the error if there was none, for a batch and those behind it. */
export type Verdict =
  /** Accepted, except `rejected` of its items, for `cause`; undefined if that is logged already. */
  | { readonly kind: 'accepted'; readonly rejected: number; readonly cause?: Cause | undefined }
  /** To be retried: the endpoint cannot be reached, or requests a later retry. */
  | { readonly kind: 'retry'; readonly cause: Cause; readonly afterMs?: number | undefined; readonly answered: boolean }
  /** Every batch is refused with this configuration: keys, address. */
  | { readonly kind: 'refused'; readonly cause: Cause }
  /** This batch is rejected: because of one of its items, or of its size. */
  | { readonly kind: 'split'; readonly cause: Cause; readonly reason: 'rejected' | 'too_large' }
  /** Compressed requests are not supported. */
  | { readonly kind: 'uncompressed'; readonly cause: Cause }

/** Returns the name of the host, and of the proxy if there is one, for messages. */
export function answererOf(url: string, { answering }: Transport): string {
  const { host } = new URL(url)
  return answering ? `${host} by way of the proxy ${answering}` : host
}

/** The host, the name of the items and the time-out of a request. */
export interface VerdictParts {
  readonly host: string
  readonly noun: Noun
  readonly timeoutMs: number
  /** Interprets a response with status 2xx. */
  readonly taken: (response: HttpResponse, host: string) => Verdict
}

export function verdictOf(outcome: HttpResponse | Error, { host, noun, timeoutMs, taken }: VerdictParts): Verdict {
  if (outcome instanceof Error) return { kind: 'retry', cause: unreachable(outcome, host, timeoutMs), answered: false }
  return isSuccess(outcome) ? taken(outcome, host) : refusal(outcome, host, noun)
}

/**
 * Returns the verdict of a 2xx response that is not from the service: a captive portal, a proxy. It is retried, because
 * most of these disappear.
 */
export function notTheService(response: HttpResponse, host: string, what: string): Verdict {
  // The service may have accepted the batch; it ignores duplicates.
  if (!response.complete) {
    return {
      kind: 'retry',
      cause: { kind: 'broken', text: `${host} closed the connection during its response.` },
      answered: true,
    }
  }
  const text = `${host} answers ${response.status}, but not as the ${what} does${quoteBody(response)}: check SVC_BASE_URL and any proxy in between.`
  return { kind: 'retry', cause: { kind: `no ${what}`, text }, answered: true }
}

/** Returns the cause for dropping a batch that was retried for too long, from the last known `cause`. */
export function tooOld(cause: Cause | undefined, host: string, noun: Noun, maxAgeMs: number): Cause {
  const why = cause?.text ?? `${host} accepts ${noun.many} too slowly.`
  const tried = `${capitalized(noun)} are retried for ${maxAgeMs / 1_000} s (SVC_OTEL_MAX_RETRY_AGE).`
  return { kind: 'max_retry_age', text: `${why} ${tried}` }
}

function refusal(response: HttpResponse, host: string, noun: Noun): Verdict {
  const { status } = response
  const text = `${host} did not accept a batch of ${noun.many}: it answered ${status}${quoteBody(response)}.`
  const cause: Cause = { kind: String(status), text }
  if (isRetriable(status)) {
    return { kind: 'retry', cause, afterMs: retryAfterMs(response), answered: true }
  }
  if (status === 400 || status === 422) return { kind: 'split', cause, reason: 'rejected' }
  if (status === 413) {
    const tooLarge = { kind: '413', text: `${host} rejects a ${noun.one} as too large (413).` }
    return { kind: 'split', cause: tooLarge, reason: 'too_large' }
  }
  if (status === 415) return { kind: 'uncompressed', cause }
  if (status === 401 || status === 403) {
    const keys = `${host} refuses the keys (${status}${quoteBody(response)}): check SVC_PUBLIC_KEY and SVC_SECRET_KEY, and that SVC_BASE_URL is the service they belong to.`
    return { kind: 'refused', cause: { kind: 'keys', text: keys } }
  }
  if (isRedirect(response)) {
    const { location } = response.headers
    const to = location ? ` to ${foreignText(location)}` : ''
    const redirect = `${host} redirects (${status})${to}, which is not followed: set SVC_BASE_URL to the final address.`
    return { kind: 'refused', cause: { kind: 'redirect', text: redirect } }
  }
  const address = `${text} Check SVC_BASE_URL, the address of the service without /api/public.`
  return { kind: 'refused', cause: { ...cause, text: address } }
}

function unreachable(error: Error, host: string, timeoutMs: number): Cause {
  if (error instanceof NoResponseError) {
    return { kind: 'no answer', text: `${host} did not answer within ${timeoutMs / 1_000} s (SVC_TIMEOUT).` }
  }
  const code = codeOf(error)
  // Node repeats the address in the message, which may contain the password of a proxy.
  return { kind: code, text: `Cannot reach ${host}: ${foreignText(messageIn(error) ?? code)}.` }
}

// Fetch wraps the network error in a TypeError; connection attempts to several addresses come as an AggregateError.
function codeOf(error: unknown): string {
  for (const part of [error, (error as { cause?: unknown } | null)?.cause]) {
    const code = (part as { code?: unknown } | null | undefined)?.code
    if (typeof code === 'string') return code
  }
  return 'network'
}

function quoteBody(response: HttpResponse): string {
  const line = foreignText(bodyText(response))
  return line ? `: ${line}` : ''
}
