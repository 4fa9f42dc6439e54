import { type Cause, Failures } from '@svc/core/failures'
import { messageOf } from '@svc/core/log'
import { type Answer, isRedirect, NoAnswerError } from './answer.ts'

/** Says that spans were lost. */
export function spanFailures(now?: () => number): Failures {
  return new Failures((spans) => `${spanCount(spans)} lost.`, now)
}

/** What an unsuccessful answer means for the user. */
export function causeOfAnswer(answer: Answer, host: string): Cause {
  const { status } = answer
  const said = quoted(answer.text)
  if (status === 401 || status === 403) {
    return {
      kind: 'keys',
      once: true,
      text: `${host} refuses the keys (${status}${said}): check SVC_PUBLIC_KEY and SVC_SECRET_KEY, and that SVC_BASE_URL is where they belong.`,
    }
  }
  if (isRedirect(answer)) {
    const target = answer.location ? ` to ${answer.location.slice(0, 200)}` : ''
    return {
      kind: 'redirect',
      text: `${host} redirects (${status})${target}, which is not followed: set SVC_BASE_URL to the final address.`,
    }
  }
  if (status === 413) return { kind: '413', text: `${host} finds a batch too large (413): lower SVC_FLUSH_AT.` }
  return { kind: String(status), text: `${host} did not take a batch of spans: it answered ${status}${said}.` }
}

/** What a request without an answer means for the user. */
export function causeOfError(error: unknown, host: string, timeoutMs: number): Cause {
  if (error instanceof NoAnswerError) {
    return { kind: 'no answer', text: `${host} is too slow: no answer within ${timeoutMs / 1_000} s (SVC_TIMEOUT).` }
  }
  return { kind: codeOf(error), text: `Cannot reach ${host}: ${messageOf(error) || codeOf(error)}.` }
}

export function spanCount(spans: number): string {
  return spans === 1 ? '1 span is' : `${spans} spans are`
}

// Fetch wraps the network error in a TypeError; connection attempts to several addresses come as an AggregateError.
function codeOf(error: unknown): string {
  for (const part of [error, (error as { cause?: unknown } | null)?.cause]) {
    const code = (part as { code?: unknown } | null | undefined)?.code
    if (typeof code === 'string') return code
  }
  return 'network'
}

function quoted(text: string): string {
  const line = text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200)
  return line ? `: ${line}` : ''
}
