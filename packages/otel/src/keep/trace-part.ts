import type { Context } from '@opentelemetry/api'
import { trace as traceApi } from '@svc/core/api'
import { isMuted, requestIn } from '@svc/core/muted-span'
import type { Holder } from './held-spans.ts'

/** The part of a trace that is in this process. */
export interface TracePart extends Holder {
  readonly id: string
  readonly since: number
  /** Its open spans, and ended ones of which something is still to be learned. */
  open: number
  /** Whether the request that it belongs to is being served. */
  isServed: boolean
  /** Whether something may follow its end. */
  readonly mayGoOn: boolean
  /** When it ended, if it waits for what may follow. */
  endedAt: number | undefined
  /** Undefined until it is decided. */
  isKept: boolean | undefined
  /** Start of its first span, in milliseconds since 1970. */
  start: number
  cost: number
}

/**
 * @param context that of its first span, if it is known
 * @param onServed called when the request that it belongs to is done
 */
export function tracePartOf(
  context: Context | undefined,
  known: Pick<TracePart, 'id' | 'isKept' | 'mayGoOn'>,
  onServed: (trace: TracePart) => void,
): TracePart {
  const request = context && requestIn(context)
  // A muted root outside of a request ends without a word.
  const hasMutedRoot = context !== undefined && !request && isMuted(traceApi.getSpan(context))
  const trace: TracePart = {
    ...known,
    since: performance.now(),
    open: 0,
    isServed: request?.whenDone !== undefined,
    mayGoOn: known.mayGoOn || hasMutedRoot,
    endedAt: undefined,
    start: Number.POSITIVE_INFINITY,
    cost: 0,
    held: [],
    bytes: 0,
  }
  request?.whenDone?.(() => {
    trace.isServed = false
    onServed(trace)
  })
  return trace
}
