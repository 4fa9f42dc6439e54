import { bodyText, type HttpResponse, isRedirect, isSuccess, NoResponseError, retryAfterMs } from '../http-exchange.ts'
import { messageOf } from '../log.ts'
import type { Cause } from '../losses.ts'
import { answeringProxy } from '../proxy.ts'
import { redactKeys } from '../redact-keys.ts'
import type { Transport } from '../transport.ts'
import { capitalized, type Noun } from './noun.ts'

/** What a response, or the lack of one, means for a batch and for those behind it. */
export type Verdict =
  /** It was taken, but for `rejected` items of it; why is in `cause`, unless it was said already. */
  | { readonly kind: 'accepted'; readonly rejected: number; readonly cause?: Cause | undefined }
  /** Again later: the endpoint is away, or asks for patience. */
  | { readonly kind: 'retry'; readonly cause: Cause; readonly afterMs?: number | undefined; readonly answered: boolean }
  /** Not in this set-up: keys, address. It is the same for every batch. */
  | { readonly kind: 'refused'; readonly cause: Cause }
  /** Not this batch: one of its items is the reason, or there are too many. */
  | { readonly kind: 'split'; readonly cause: Cause; readonly reason: 'rejected' | 'too_large' }
  /** Not compressed. */
  | { readonly kind: 'uncompressed'; readonly cause: Cause }

/** Who answers at an address, for messages. */
export function answererOf(url: string, { proxy: settings }: Transport): string {
  const address = new URL(url)
  const proxy = answeringProxy(address, settings)
  return proxy ? `${address.host} by way of the proxy ${proxy}` : address.host
}

/** Who answers, what was sent, and how long the request was given. */
export interface VerdictParts {
  readonly host: string
  readonly noun: Noun
  readonly timeoutMs: number
  /** What a status 2xx means. */
  readonly taken: (response: HttpResponse, host: string) => Verdict
}

export function verdictOf(outcome: HttpResponse | Error, { host, noun, timeoutMs, taken }: VerdictParts): Verdict {
  if (outcome instanceof Error) return { kind: 'retry', cause: unreachable(outcome, host, timeoutMs), answered: false }
  return isSuccess(outcome) ? taken(outcome, host) : refusal(outcome, host, noun)
}

/** An answer 2xx that is none of the service: a page of a network that wants a login first, a proxy. Most go away. */
export function notTheService(response: HttpResponse, host: string, what: string): Verdict {
  // It may have taken the batch all the same: a second time does no harm.
  if (!response.complete) {
    return { kind: 'retry', cause: { kind: 'broken', text: `${host} broke off its answer.` }, answered: true }
  }
  const text = `${host} answers ${response.status} with what no ${what} says${quoted(response)}: check SVC_BASE_URL, and what is in between.`
  return { kind: 'retry', cause: { kind: `no ${what}`, text }, answered: true }
}

/** Why a batch is given up, of which `cause` is the reason that is known. */
export function tooOld(cause: Cause | undefined, host: string, noun: Noun, maxAgeMs: number): Cause {
  const why = cause?.text ?? `${host} takes ${noun.many} too slowly.`
  const tried = `${capitalized(noun)} are tried for ${maxAgeMs / 1_000} s (SVC_OTEL_MAX_RETRY_AGE).`
  return { kind: 'max_retry_age', text: `${why} ${tried}` }
}

function refusal(response: HttpResponse, host: string, noun: Noun): Verdict {
  const { status } = response
  const text = `${host} did not take a batch of ${noun.many}: it answered ${status}${quoted(response)}.`
  const cause: Cause = { kind: String(status), text }
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return { kind: 'retry', cause, afterMs: retryAfterMs(response), answered: true }
  }
  if (status === 400 || status === 422) return { kind: 'split', cause, reason: 'rejected' }
  if (status === 413) {
    const tooLarge = { kind: '413', text: `${host} finds a ${noun.one} too large (413).` }
    return { kind: 'split', cause: tooLarge, reason: 'too_large' }
  }
  if (status === 415) return { kind: 'uncompressed', cause }
  if (status === 401 || status === 403) {
    const keys = `${host} refuses the keys (${status}${quoted(response)}): check SVC_PUBLIC_KEY and SVC_SECRET_KEY, and that SVC_BASE_URL is where they belong.`
    return { kind: 'refused', cause: { kind: 'keys', text: keys } }
  }
  if (isRedirect(response)) {
    const { location } = response.headers
    const to = location ? ` to ${told(location)}` : ''
    const redirect = `${host} redirects (${status})${to}, which is not followed: set SVC_BASE_URL to the final address.`
    return { kind: 'refused', cause: { kind: 'redirect', text: redirect } }
  }
  return { kind: 'refused', cause }
}

function unreachable(error: Error, host: string, timeoutMs: number): Cause {
  if (error instanceof NoResponseError) {
    return { kind: 'no answer', text: `${host} is too slow: no answer within ${timeoutMs / 1_000} s (SVC_TIMEOUT).` }
  }
  const code = codeOf(error)
  // A proxy may have its password in its address, and Node repeats that.
  return { kind: code, text: `Cannot reach ${host}: ${redactKeys(messageOf(error)) || code}.` }
}

// Fetch wraps the network error in a TypeError; connection attempts to several addresses come as an AggregateError.
function codeOf(error: unknown): string {
  for (const part of [error, (error as { cause?: unknown } | null)?.cause]) {
    const code = (part as { code?: unknown } | null | undefined)?.code
    if (typeof code === 'string') return code
  }
  return 'network'
}

function quoted(response: HttpResponse): string {
  const line = told(bodyText(response))
  return line ? `: ${line}` : ''
}

/** What others say, for one line of ours. */
export function told(text: string): string {
  // Before it is cut: half a key is no longer known as one.
  return redactKeys(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200)
}
