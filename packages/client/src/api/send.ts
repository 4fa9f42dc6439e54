import { foreignText, redactKeys } from '@svc/core/foreign-text'
import { isRetriable, withRetries } from '@svc/core/retry'
import type { Clock } from '../clock.ts'
import { errorOfAnswer, SvcAPIError, SvcAPITimeoutError } from './errors.ts'
import { pauseBefore } from './pause.ts'
import { type RawResponse, rawResponseOf, type WithRawResponse } from './raw-response.ts'

/** A connection to the service. */
export interface Connection {
  /** Without a trailing slash; undefined when the configured value is not a URL. */
  readonly baseUrl: string | undefined
  /** Host and port of the proxy that responses may be from. */
  readonly proxy?: string | undefined
  /** Headers of every request, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Default time-out of each try. */
  readonly timeoutInSeconds: number
  readonly fetch: typeof fetch
  readonly clock: Clock
}

/** A call with all options resolved. */
export interface Call {
  /** For messages: `GET /api/public/projects`. */
  readonly name: string
  readonly url: string
  readonly init: RequestInit
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly abortSignal: AbortSignal | undefined
}

/** Sends a call, retries it after retriable statuses, and reads the response. */
export async function send<T>(call: Call, { fetch, clock, proxy }: Connection): Promise<WithRawResponse<T>> {
  const { response, text } = await withRetries(
    () => exchange(call, fetch),
    ({ response: { status, headers } }, tries) =>
      isRetriable(status) && tries < call.maxRetries ? pauseBefore(tries, headers, clock) : undefined,
    (ms) => clock.sleep(ms, call.abortSignal),
  )
  return { data: read<T>(call, response, text, proxy), rawResponse: rawResponseOf(response) }
}

async function exchange(call: Call, send: typeof fetch): Promise<{ response: Response; text: string }> {
  const { url, init, timeoutMs, abortSignal } = call
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const signal = abortSignal ? AbortSignal.any([timeout, abortSignal]) : timeout
    // Following a redirect would turn a POST into a GET, and could send the keys to another host.
    const response = await send(url, { ...init, redirect: 'manual', signal })
    return { response, text: await response.text() }
  } catch (cause) {
    if (abortSignal?.aborted) throw abortSignal.reason
    if (timeout.aborted) throw new SvcAPITimeoutError(`Timeout exceeded when calling ${call.name}.`, { cause })
    throw new SvcAPIError(`${call.name} did not reach ${hostOf(url)}: ${causeOf(cause)}`, { cause })
  }
}

function read<T>(call: Call, response: Response, text: string, proxy: string | undefined): T {
  const rawResponse = rawResponseOf(response)
  if (isRedirect(response)) throw redirectError(call, rawResponse)
  if (response.status >= 400) {
    throw errorOfAnswer(proxy ? `${call.name}, by way of the proxy ${proxy},` : call.name, text, rawResponse)
  }
  if (text === '') return undefined as T
  try {
    return JSON.parse(text) as T
  } catch (cause) {
    const details = { statusCode: response.status, body: redactKeys(text), rawResponse, cause }
    throw new SvcAPIError(`${call.name} answered ${response.status}, but not with JSON: ${foreignText(text)}`, details)
  }
}

// Browsers hide the target of a redirect that is not followed.
function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || (response.status >= 300 && response.headers.has('location'))
}

function redirectError(call: Call, rawResponse: RawResponse): SvcAPIError {
  const to = rawResponse.headers.get('location')
  const message = `${call.name} is redirected${to ? ` to ${foreignText(to)}` : ''}, which is not followed: set SVC_BASE_URL to the final address.`
  return new SvcAPIError(message, { statusCode: rawResponse.status, rawResponse })
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

// The error of `fetch` is "fetch failed"; its cause has the reason, or several for a host with several addresses.
function causeOf(error: unknown): string {
  const inner = (error as { cause?: unknown } | null)?.cause ?? error
  const { message, code } = (inner ?? {}) as { message?: unknown; code?: unknown }
  return String(message || code || inner)
}
