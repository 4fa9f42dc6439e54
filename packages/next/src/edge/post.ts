import { foreignText } from '@svc/core/foreign-text'
import { BODY_LIMIT, LONGEST_RETRY_AFTER_MS } from '@svc/core/http-exchange'
import { parsedJson } from '@svc/core/json'
import { messageOf } from '@svc/core/log'
import type { Cause } from '@svc/core/losses'
import { ownFields } from '@svc/core/own'
import { beginningOf, partsOf } from '@svc/core/read-body'
import { withTracingSuppressed } from '@svc/core/suppress-tracing'

/** What an answer means for the spans that were sent, as the verdicts of `@svc/core/delivery/verdict`. */
export interface Verdict {
  readonly kind: 'accepted' | 'retry' | 'refused' | 'split'
  readonly cause: Cause
  /** Spans that were not accepted. */
  readonly rejected?: number
  readonly afterMs?: number | undefined
}

/** Sends a request with `fetcher`, without following redirects, and unrecorded. Never rejects. */
export async function post(
  fetcher: typeof fetch,
  { url, headers }: { readonly url: string; readonly headers: Record<string, string> },
  body: string,
  timeoutMs: number,
): Promise<Verdict> {
  const { host } = new URL(url)
  // `AbortSignal.timeout` throws for fractions. SVC_TIMEOUT is no longer than a timer allows.
  const signal = AbortSignal.timeout(Math.ceil(timeoutMs))
  try {
    const init: RequestInit = ownFields({ method: 'POST', headers, body, redirect: 'manual', signal })
    const response = await withTracingSuppressed(() => fetcher(url, init))
    // Of an answer that breaks off, the status is known.
    const { body: read, complete } = await beginningOf(partsOf(response), BODY_LIMIT)
    return verdictOf(response, host, { text: new TextDecoder().decode(read), isAll: complete })
  } catch (error) {
    return retry(
      signal.aborted
        ? { kind: 'no answer', text: `${host} did not answer within ${timeoutMs / 1_000} s (SVC_TIMEOUT).` }
        : { kind: 'network', text: `Cannot reach ${host}: ${foreignText(messageOf(error))}.` },
    )
  }
}

interface Answer {
  readonly text: string
  /** False if it broke off, or is longer. */
  readonly isAll: boolean
}

function verdictOf(response: Response, host: string, beginning: Answer): Verdict {
  // Browsers hide the status of a redirect that is not followed.
  const status = response.status || 302
  const line = foreignText(beginning.text)
  const quoted = line && `: ${line}`
  if (response.ok) {
    const text = `${host} answers ${status}, but not as the OTLP endpoint does${quoted}: check SVC_BASE_URL and any proxy in between.`
    return taken(beginning, host, { kind: 'no OTLP endpoint', text })
  }
  const cause = { kind: `${status}`, text: `${host} did not accept a batch of spans: it answered ${status}${quoted}.` }
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    // Seconds. As a date it is rare, and the next attempt comes as after any other failure.
    const afterMs = Number(response.headers.get('retry-after')) * 1_000
    return retry(cause, Math.min(LONGEST_RETRY_AFTER_MS, afterMs) || undefined)
  }
  if (status === 413)
    return { kind: 'split', cause: { kind: '413', text: `${host} rejects a span as too large (413).` } }
  if (status === 400 || status === 422) return { kind: 'split', cause }
  if (status === 401 || status === 403) {
    return refused(
      'keys',
      `${host} refuses the keys (${status}${quoted}): check SVC_PUBLIC_KEY and SVC_SECRET_KEY, and that SVC_BASE_URL is the service they belong to.`,
    )
  }
  if (status >= 400) {
    return refused(cause.kind, `${cause.text} Check SVC_BASE_URL, the address of the service without /api/public.`)
  }
  const location = response.headers.get('location')
  const to = location ? ` to ${foreignText(location)}` : ''
  return refused(
    'redirect',
    `${host} redirects (${status})${to}, which is not followed: set SVC_BASE_URL to the final address.`,
  )
}

const retry = (cause: Cause, afterMs?: number): Verdict => ({ kind: 'retry', cause, afterMs })
const refused = (kind: string, text: string): Verdict => ({ kind: 'refused', cause: { kind, text } })

/** What an answer 2xx means. The service itself answers with any JSON; a captive portal or a proxy with a page. */
function taken({ text, isAll }: Answer, host: string, otherwise: Cause): Verdict {
  if (!isAll) {
    return retry({ kind: 'broken', text: `${host} closed the connection during its response.` })
  }
  const answer = parsedJson(text || '{}')
  if (typeof answer !== 'object' || answer === null) return retry(otherwise)
  const { partialSuccess } = answer as { partialSuccess?: { rejectedSpans?: unknown; errorMessage?: unknown } | null }
  const rejected = Math.max(0, Number(partialSuccess?.rejectedSpans) || 0)
  const why = partialSuccess?.errorMessage ? `: ${foreignText(partialSuccess.errorMessage)}` : ''
  return { kind: 'accepted', rejected, cause: { kind: 'partial', text: `${host} rejected spans${why}.` } }
}
