import type { Context } from '@opentelemetry/api'
import { trace as traceApi } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import type { ByteBudget } from '@svc/core/delivery/byte-budget'
import type { KeptFor, KeptTraces, LeftOutFor } from '@svc/core/health'
import { publishLeftOut, type TraceScored, traceScored } from '@svc/core/span-events'
import { withTracingSuppressed } from '@svc/core/suppress-tracing'
import { after } from '@svc/core/timers'
import { scopeOf } from '../filter.ts'
import type { ReadableSpan } from '../sdk.ts'
import { Decisions } from './decisions.ts'
import { HeldSpans } from './held-spans.ts'
import { OpenTraces } from './open-traces.ts'
import {
  costOf,
  isKeptByCaller,
  isOfExperiment,
  isOfShare,
  millisecondsOf,
  reasonToKeep,
  rulesOf,
  userOf,
  withTraceState,
} from './rules.ts'
import { type TracePart, tracePartOf } from './trace-part.ts'

/** Longest time that spans are held while their trace is open, in milliseconds. */
const LONGEST_MS = 600_000
/** How long a trace that has ended waits for a score, or for another root of the same trace. */
const AFTER_END_MS = 10_000
const SWEEP_MS = 1_000

export interface KeepParts {
  readonly budget: ByteBudget
  /** Takes the spans of kept traces over. Must not throw. */
  readonly pass: (span: ReadableSpan, complete: Promise<ReadableSpan> | undefined) => void
  /** Called with each span that is held or left out. */
  readonly onWithheld?: ((span: ReadableSpan) => void) | undefined
}

/**
 * Decides which traces are sent (`SVC_KEEP`). A trace is kept as soon as a rule holds; spans are held only of traces that
 * the rest's rate leaves out, until the trace ends in this process. Thus what has to be decided early, for want of room or
 * time, is left out, as the rate says. Late spans follow.
 */
export class Keep {
  readonly #rules: ReturnType<typeof rulesOf>
  readonly #parts: KeepParts
  readonly #open = new OpenTraces()
  readonly #held: HeldSpans<TracePart>
  readonly #decisions = new Decisions()
  #spansLeftOut = 0
  #timer: ReturnType<typeof after> | undefined

  constructor(rules: readonly string[], parts: KeepParts) {
    this.#rules = rulesOf(rules)
    this.#parts = parts
    this.#held = new HeldSpans(parts.budget)
    if (this.#rules.scored) traceScored?.subscribe(this.#scored)
  }

  get counts(): KeptTraces {
    return { ...this.#decisions.counts, spansLeftOut: this.#spansLeftOut, spansHeld: this.#held.count }
  }

  /** Returns a context whose `tracestate` tells called processes whether its trace is kept so far. */
  readonly told = (context: Context): Context => {
    const above = traceApi.getSpanContext(context)
    const known = above && this.#open.get(above.traceId)
    const isKept = known ? known.isKept === true : above && this.#decisions.on(above.traceId)
    return above && isKept !== undefined ? withTraceState(context, above, isKept) : context
  }

  /** To be called when a span has started, with what is written on it at its start. */
  started(span: ReadableSpan, context: Context): void {
    const trace = this.#traceOf(span, context)
    trace.open += 1
    this.#open.goesOn(trace)
    trace.start = Math.min(trace.start, millisecondsOf(span.startTime))
    const byCaller = isKeptByCaller(span)
    // What it has decided since it called before.
    if (byCaller && !trace.isKept) this.#keep(trace, 'caller')
    if (trace.isKept !== undefined) return
    if (isOfExperiment(span)) this.#keep(trace, 'experiment')
    else if (byCaller === false) this.#leaveOut(trace, 'caller')
    else if (this.#rules.users.has(userOf(span))) this.#keep(trace, 'users')
    else if (isOfShare(trace.id, this.#rules.rest)) this.#keep(trace, 'rest')
  }

  /** Takes an ended span that passed the filter. @param complete the span with what is still to be learned of it */
  take(span: ReadableSpan, complete?: Promise<ReadableSpan>): void {
    const trace = this.#traceOf(span)
    this.#judge(trace, span)
    if (complete) {
      trace.open += 1
      const learned = complete.then((whole) => {
        if (trace.isKept === undefined && this.#rules.users.has(userOf(whole))) this.#keep(trace, 'users')
      })
      void learned.catch(() => {}).then(() => this.#endOne(trace))
    }
    if (trace.isKept === undefined) this.#hold(trace, span, complete)
    else this.#follow(trace.isKept, span, complete)
    const { onWithheld } = this.#parts
    if (!trace.isKept && onWithheld) attempt('tell of a span', onWithheld, span)
    // A call that waited for the one around it may come when all have ended.
    if (trace.open <= 0) this.#endIfDone(trace)
  }

  /** To be called when an ended span was processed, whether it passed the filter or not. */
  ended(span: ReadableSpan): void {
    const trace = this.#open.get(span.spanContext().traceId)
    if (trace) this.#endOne(trace)
  }

  /** Decides on the traces that have ended. */
  settle(): void {
    for (const trace of this.#open.ended()) this.#close(trace)
  }

  /** Decides on all traces, by what is known so far. */
  decide(): void {
    this.settle()
    for (const trace of this.#open.all()) if (trace.isKept === undefined) this.#leaveOut(trace, 'rest')
  }

  stop(): void {
    clearTimeout(this.#timer)
    traceScored?.unsubscribe(this.#scored)
  }

  readonly #scored = (message: unknown): void => {
    attempt('keep a trace with a score', () => {
      const traceId = (message as TraceScored).traceId.toLowerCase()
      const trace = this.#open.get(traceId)
      if (!trace) this.#decisions.keepUnknown(traceId, 'scored')
      else if (trace.isKept === undefined) {
        this.#keep(trace, 'scored')
        this.#endIfDone(trace)
      }
    })
  }

  #traceOf(span: ReadableSpan, context?: Context): TracePart {
    const { traceId: id } = span.spanContext()
    const known = this.#open.get(id)
    if (known) return known
    const excess = this.#open.excess()
    if (excess) this.#close(excess, 'memory')
    const decided = { id, isKept: this.#decisions.on(id), mayGoOn: this.#rules.scored }
    const trace = tracePartOf(context, decided, (served) => this.#endIfDone(served))
    this.#open.add(trace)
    return trace
  }

  #judge(trace: TracePart, span: ReadableSpan): void {
    if (trace.isKept !== undefined) return
    if (this.#rules.cost < Number.POSITIVE_INFINITY) trace.cost += costOf(span)
    const why = reasonToKeep(this.#rules, trace, span)
    if (why) this.#keep(trace, why)
  }

  #keep(trace: TracePart, why: KeptFor): void {
    // The caller may have kept what was left out here.
    if (trace.isKept === undefined) this.#decisions.countKept(why)
    trace.isKept = true
    this.#letGo(trace)
  }

  #leaveOut(trace: TracePart, why: LeftOutFor): void {
    trace.isKept = false
    this.#decisions.countLeftOut(why)
    this.#letGo(trace)
  }

  #hold(trace: TracePart, span: ReadableSpan, complete: Promise<ReadableSpan> | undefined): void {
    const isHeld = this.#held.hold(trace, { span, complete }, (oldest) => this.#makeRoom(trace, oldest))
    if (isHeld) this.#arm()
    else {
      this.#leaveOut(trace, 'memory')
      this.#follow(false, span, complete)
    }
  }

  #makeRoom(trace: TracePart, oldest: TracePart): boolean {
    const out = this.#open.toGiveWay(trace, oldest)
    if (!out) return false
    this.#leaveOut(out, 'memory')
    this.#endIfDone(out)
    return true
  }

  /** Lets the held spans of a trace follow its decision. */
  #letGo(trace: TracePart): void {
    for (const { span, complete } of this.#held.release(trace)) this.#follow(trace.isKept === true, span, complete)
  }

  #follow(isKept: boolean, span: ReadableSpan, complete: Promise<ReadableSpan> | undefined): void {
    if (isKept) this.#parts.pass(span, complete)
    else {
      this.#spansLeftOut += 1
      publishLeftOut(scopeOf(span), 'not kept')
    }
  }

  #endOne(trace: TracePart): void {
    trace.open -= 1
    this.#endIfDone(trace)
  }

  #endIfDone(trace: TracePart): void {
    if (trace.open > 0 || trace.isServed) return
    if (trace.isKept !== undefined || !trace.mayGoOn) {
      this.#close(trace)
      return
    }
    this.#open.ends(trace)
    this.#arm()
  }

  #close(trace: TracePart, why: LeftOutFor = 'rest'): void {
    if (trace.isKept === undefined) this.#leaveOut(trace, why)
    this.#open.delete(trace)
    this.#decisions.remember(trace.id, trace.isKept === true)
  }

  #arm(): void {
    this.#timer ??= withTracingSuppressed(() => after(SWEEP_MS, () => this.#sweep()))
  }

  /** Decides on traces whose time is over. */
  #sweep(): void {
    this.#timer = undefined
    const now = performance.now()
    let isBusy = false
    for (const trace of this.#open.all()) {
      if (trace.isKept !== undefined) continue
      if (trace.endedAt !== undefined && now - trace.endedAt >= AFTER_END_MS) this.#close(trace)
      else if (trace.open > 0 && Date.now() - trace.start >= this.#rules.slowMs) this.#keep(trace, 'slow')
      else if (now - trace.since >= LONGEST_MS) this.#leaveOut(trace, 'time')
      else isBusy = true
    }
    if (isBusy) this.#arm()
  }
}

/** A function, which the bundle of the preload loads with this file when it is called. */
export const createKeep = (rules: readonly string[], parts: KeepParts): Keep => new Keep(rules, parts)
