import type { IncomingHttpHeaders } from 'node:http'

/** How an endpoint misbehaves: data, because it does so in a process of its own. */
export interface Fault {
  /** The requests that get the reaction: all conditions hold. Default: every request. */
  readonly when?: When
  readonly reaction?: Reaction
  /** So many connections are reset in the middle of their first request. */
  readonly resets?: number
  /** Milliseconds from the start during which nothing listens; `Infinity` until it is opened. */
  readonly downFor?: number
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Its milliseconds are so many times shorter. Default: 1. */
  readonly speed?: number
}

export interface When {
  /** They are among the first so many. */
  readonly first?: number
  /** They come within so many milliseconds. */
  readonly withinMs?: number
  /** They have the span of this name. */
  readonly having?: string
  /** They are compressed, have more bytes on the wire, or more uncompressed. */
  readonly compressed?: true
  readonly wireAbove?: number
  readonly rawAbove?: number
}

/** What becomes of a request. Left out: its spans are taken, and the answer is 200. */
export interface Reaction {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** `Retry-After` as a date, `ms` ahead by a clock that is ahead by `clockMs`. */
  readonly retryAt?: { readonly ms: number; readonly clockMs: number }
  readonly body?: string
  /** Whether the spans are taken. Default: what the status says. */
  readonly takes?: boolean
  /** Spans that are not taken. */
  readonly rejects?: readonly string[]
  readonly afterMs?: number
  /** What becomes of the answer. */
  readonly answer?: 'none' | 'reset' | 'truncated' | 'drip'
}

/** A request as the intake sees it. */
export interface Arrival {
  /** Requests before it. */
  readonly index: number
  /** Milliseconds since the intake was made. */
  readonly at: number
  /** Bytes on the wire, and uncompressed. */
  readonly wire: number
  readonly raw: number
  readonly headers: IncomingHttpHeaders
  readonly isCompressed: boolean
}

export function reactionTo(
  arrival: Arrival & { readonly names: readonly string[] },
  { when = {}, reaction = {} }: Fault,
): Reaction {
  const { first, withinMs, having, compressed, wireAbove, rawAbove } = when
  const isMeant =
    arrival.index < (first ?? Number.POSITIVE_INFINITY) &&
    arrival.at < (withinMs ?? Number.POSITIVE_INFINITY) &&
    (having === undefined || arrival.names.includes(having)) &&
    (!compressed || arrival.isCompressed) &&
    arrival.wire > (wireAbove ?? -1) &&
    arrival.raw > (rawAbove ?? -1)
  return isMeant ? reaction : {}
}
