import type { DescribedRequest } from '@svc/instrumentation/describe-request'
import { differenceOf } from './difference.ts'
import type { RecordedCall } from './recording.ts'

/** What becomes of a request: it is answered by a recorded call, is sent, or fails. */
export type Decision = { readonly answeredBy: RecordedCall } | { readonly sent: true } | { readonly fails: string }

export interface ReplayOptions {
  readonly calls: readonly RecordedCall[]
  /** Whether requests after the last recorded call are sent: what was recorded ends at an observation. */
  readonly isLiveAfter: boolean
  readonly onDivergence: 'live' | 'fail'
  /** Called with what differs. */
  readonly report: (difference: string) => void
}

/**
 * Answers requests by recorded calls, each once. A request is answered by the first call that is left and equals it: what
 * ran at the same time may arrive in another order. One that equals none is compared with the first that is left.
 */
export class Replayer {
  readonly #options: ReplayOptions
  readonly #left: Set<RecordedCall>
  #diverged = 0

  constructor(options: ReplayOptions) {
    this.#options = options
    this.#left = new Set(options.calls)
  }

  /** Requests that differed. */
  get diverged(): number {
    return this.#diverged
  }

  /** Recorded calls that nothing asked for. */
  get left(): readonly RecordedCall[] {
    return [...this.#left].filter(({ failure }) => !failure)
  }

  decide(request: DescribedRequest): Decision {
    const equal = [...this.#left].find((call) => differenceOf(call, request) === undefined)
    if (equal) {
      // A library may ask again after a failure, as it did then.
      if (!equal.failure) this.#left.delete(equal)
      if (equal.answer || equal.failure) return { answeredBy: equal }
      return this.diverge(`${equal.title} answered what is not in the trace: pictures, sound, vectors, or cut`)
    }
    const [next] = this.left
    if (!next && this.#options.isLiveAfter) return { sent: true }
    return this.diverge(
      next
        ? `a request differs from ${next.title}: ${differenceOf(next, request)}`
        : 'a request was made after all recorded calls were answered',
    )
  }

  /** Decides about a request that nothing recorded answers. */
  diverge(reason: string): Decision {
    const { onDivergence, report } = this.#options
    this.#diverged += 1
    const isSent = onDivergence === 'live'
    report(reason)
    return isSent ? { sent: true } : { fails: reason }
  }
}
