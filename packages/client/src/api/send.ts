import { foreignText, redactKeys } from '@svc/core/foreign-text'
import { ownFields } from '@svc/core/own'
import { bodyOf, parsedAnswer, TooLargeError } from '@svc/core/read-body'
import { isRetriable, withRetries } from '@svc/core/retry'
import type { ClientClock } from '../clock.ts'
import { errorOfAnswer, SvcAPIError, SvcAPITimeoutError } from './errors.ts'
import { pauseBefore } from './pause.ts'
import { type RawResponse, rawResponseOf, type WithRawResponse } from './raw-response.ts'

/** A connection to the service. */
export interface ApiConnection {
  /** Without a trailing slash; undefined when the configured value is not a URL. */
  readonly baseUrl: string | undefined
  /** Host and port of the proxy that responses may be from. */
  readonly proxy?: string | undefined
  /** Headers of every request, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Default time-out of a call. */
  readonly timeoutInSeconds: number
  readonly fetch: typeof fetch
  readonly clock: ClientClock
}

/** A call with all options resolved. */
export interface ApiCall {
  /** For messages: `GET /api/public/projects`. */
  readonly name: string
  readonly url: string
  readonly init: RequestInit
  /** For all tries, with the pauses between them. */
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly abortSignal: AbortSignal | undefined
}

/**
 * Sends a call, retries it after retriable statuses, and reads the response. A pause that would not end in time is not
 * made: whoever has something else to use does not wait for it.
 */
export async function send<T>(call: ApiCall, { fetch, clock, proxy }: ApiConnection): Promise<WithRawResponse<T>> {
  const timeout = AbortSignal.timeout(call.timeoutMs)
  const deadline = clock.now() + call.timeoutMs
  let isTooLate = false
  const { response, text } = await withRetries(
    () => exchange(call, fetch, timeout),
    ({ response: { status, headers } }, tries) => {
      if (!isRetriable(status) || tries >= call.maxRetries) return undefined
      const pause = pauseBefore(tries, headers, clock)
      isTooLate = clock.now() + pause >= deadline
      return isTooLate ? undefined : pause
    },
    (ms) => clock.sleep(ms, call.abortSignal),
  )
  const by = proxy ? `, by way of the proxy ${proxy},` : ''
  const why = isTooLate ? `, with no time left for a retry (${call.timeoutMs / 1_000} s)` : ''
  return { data: read<T>(call, response, text, { by, why }), rawResponse: rawResponseOf(response) }
}

async function exchange(
  { name, url, init, abortSignal }: ApiCall,
  send: typeof fetch,
  timeout: AbortSignal,
): Promise<{ response: Response; text: string }> {
  try {
    const signal = abortSignal ? AbortSignal.any([timeout, abortSignal]) : timeout
    // Following a redirect would turn a POST into a GET, and could send the keys to another host.
    const response = await send(url, ownFields<RequestInit>({ ...init, redirect: 'manual', signal }))
    return { response, text: new TextDecoder().decode(await bodyOf(response)) }
  } catch (cause) {
    if (abortSignal?.aborted) throw abortSignal.reason
    if (timeout.aborted) throw new SvcAPITimeoutError(`Timeout exceeded when calling ${name}.`, { cause })
    if (cause instanceof TooLargeError) throw tooLarge({ name, url }, cause)
    throw new SvcAPIError(`${name} did not reach ${hostOf(url)}: ${causeOf(cause)}`, { cause })
  }
}

function read<T>(call: ApiCall, response: Response, text: string, { by, why }: { by: string; why: string }): T {
  const rawResponse = rawResponseOf(response)
  if (isRedirect(response)) throw redirectError(call, rawResponse)
  if (response.status >= 400) {
    throw errorOfAnswer(call.name + by, why, text, rawResponse)
  }
  if (text === '') return undefined as T
  try {
    return parsedAnswer(text) as T
  } catch (cause) {
    if (cause instanceof TooLargeError) throw tooLarge(call, cause)
    const details = { statusCode: response.status, body: redactKeys(text), rawResponse, cause }
    throw new SvcAPIError(`${call.name} answered ${response.status}, but not with JSON: ${foreignText(text)}`, details)
  }
}

function tooLarge({ name, url }: Pick<ApiCall, 'name' | 'url'>, cause: TooLargeError): SvcAPIError {
  return new SvcAPIError(`${hostOf(url)} answered ${name} with too much to read: ${cause.message}.`, { cause })
}

// Browsers hide the target of a redirect that is not followed.
function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || (response.status >= 300 && response.headers.has('location'))
}

function redirectError(call: ApiCall, rawResponse: RawResponse): SvcAPIError {
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
  return foreignText(message || code || inner)
}
