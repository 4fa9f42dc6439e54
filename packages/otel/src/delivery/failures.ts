import { log, messageOf } from '@svc/core/log'
import { type Answer, isRedirect, NoAnswerError } from './answer.ts'

/** Why spans were lost: `kind` tells causes apart, `text` says what happened and what to do. */
export interface Cause {
  readonly kind: string
  readonly text: string
  /** Repeating it helps nobody: said once and never again. */
  readonly once?: boolean
}

const QUIET_MS = 60_000

/**
 * Says that spans (or what else `lost` counts) were lost: one line a cause, then at most one a minute with the number
 * lost since.
 */
export class Failures {
  readonly #causes = new Map<string, { cause: Cause; spans: number; quietUntil: number }>()
  readonly #now: () => number
  readonly #lost: (count: number) => string

  constructor(now = () => performance.now(), lost = (count: number) => `${spanCount(count)} lost.`) {
    this.#now = now
    this.#lost = lost
  }

  report(cause: Cause, spans: number): void {
    const known = this.#causes.get(cause.kind) ?? { cause, spans: 0, quietUntil: Number.NEGATIVE_INFINITY }
    this.#causes.set(cause.kind, known)
    known.cause = cause
    known.spans += spans
    if (this.#now() < known.quietUntil) return
    known.quietUntil = cause.once ? Number.POSITIVE_INFINITY : this.#now() + QUIET_MS
    this.#say(known)
  }

  /** Says what the quiet minutes held back. For the end of the process. */
  reportRest(): void {
    for (const known of this.#causes.values()) if (known.spans > 0 && !known.cause.once) this.#say(known)
  }

  #say(known: { cause: Cause; spans: number }): void {
    log.error(`${known.cause.text} ${this.#lost(known.spans)}`)
    known.spans = 0
  }
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
