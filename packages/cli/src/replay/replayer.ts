import type { DescribedRequest } from '@svc/instrumentation/describe-request'
import type { Dialect } from './answer.ts'
import { differenceOf } from './difference.ts'
import { isAnswerOf } from './find-dialect.ts'
import type { RecordedCall } from './recording.ts'
import { nearness, type TreePlace } from './tree-place.ts'

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
 * Answers requests by recorded calls, each once. A request is answered by a call that equals it: what ran at the same time
 * may arrive in another order. Among several it is the one at its place in the tree, among those the first. A request that
 * equals none is compared with the call that is left at its place, or nearest to it.
 */
export class Replayer {
  readonly #options: ReplayOptions
  readonly #left: Set<RecordedCall>
  /** Failures that were answered. They stay, for a library may ask again, as it did then. */
  readonly #failed = new Set<RecordedCall>()
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

  /** @param dialect of the API that is asked, if its answers are rebuilt from what is recorded */
  decide(request: DescribedRequest, place: TreePlace, dialect: Dialect | undefined): Decision {
    const isOfDialect = ({ answer }: RecordedCall) => !answer || isAnswerOf(dialect, answer)
    const isEqual = (call: RecordedCall) => differenceOf(call, request) === undefined
    const isAlike = (call: RecordedCall) => isStreamed(call) === request.isStream && isEqual(call)
    const first = this.#firstAt(place)
    // Where a run asks as it did, no other call is looked at.
    const isFirst = first !== undefined && isOfDialect(first) && isAlike(first)
    const nearest = isFirst ? [first] : this.#byPlace(place).filter(isOfDialect)
    // The same may have been asked for whole and streamed, which some instrumentations do not tell.
    const equal = isFirst ? first : (nearest.find(isAlike) ?? nearest.find(isEqual))
    if (equal) {
      if (equal.failure && !equal.raw) this.#failed.add(equal)
      else this.#left.delete(equal)
      if (equal.raw || (dialect && (equal.answer || equal.failure))) return { answeredBy: equal }
      const missing = dialect ? 'answered what is not in the trace: pictures, sound, vectors, or cut' : NOT_REBUILT
      return this.diverge(`${equal.title} ${missing}. SVC_RECORD=raw records it`)
    }
    const next = nearest.find(({ failure }) => !failure)
    if (!next && this.#options.isLiveAfter) return { sent: true }
    return this.diverge(
      next
        ? `a request differs from ${next.title}: ${differenceOf(next, request)}`
        : 'a request was made after all recorded calls were answered',
    )
  }

  /** The first call that is left, if it is at this place. */
  #firstAt(place: TreePlace): RecordedCall | undefined {
    const [first] = this.#left
    const isThere = first && nearness(first.place, place) === Math.max(first.place.size, place.size)
    return isThere && !this.#failed.has(first) ? first : undefined
  }

  /** The calls that are left, the nearest first. At one place, failures that were answered are the last. */
  #byPlace(place: TreePlace): readonly RecordedCall[] {
    const distance = (call: RecordedCall) => (this.#failed.has(call) ? 0.5 : 0) - nearness(call.place, place)
    const distances = new Map([...this.#left].map((call) => [call, distance(call)]))
    return [...distances].toSorted(([, one], [, other]) => one - other).map(([call]) => call)
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

const NOT_REBUILT = 'is of an API whose answers are not rebuilt from a trace'

const isStreamed = ({ parameters }: RecordedCall): boolean => String(parameters.stream) === 'true'
