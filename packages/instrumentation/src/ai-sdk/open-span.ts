import {
  type Attributes,
  type Exception,
  type Span,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
} from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { GENERAL } from '@svc/core/attributes'
import { track } from '@svc/core/open-calls'
import { type MissingEnd, SpanLife } from '@svc/core/span-life'
import { capturesContent } from '../gen-ai/configure.ts'
import { asRecord, defined } from '../gen-ai/read.ts'
import { describeFailure } from '../record/error.ts'
import { outcomeAttributes } from '../record/outcome.ts'
import { write, writeUnanswered } from '../record/write.ts'
import { hasTiming, outputIn, sourcesIn, withReasoning } from './answer.ts'
import { AnswersBelow } from './answers-below.ts'
import { boundedAttributes } from './bounded-attributes.ts'
import { addTools } from './call-texts.ts'
import { removeCall } from './calls.ts'
import { exceptionType } from './failure.ts'
import { isAbort, outcomeOf, type SpanOutcome } from './span-outcome.ts'
import type { OpenSpanOptions, OutcomePredictor, Role } from './span-role.ts'
import { StreamedOutput } from './streamed-output.ts'
import { tokenCounts, withoutSums } from './token-counts.ts'
import { mark, type SpanMethods, type Watcher, watch, watcherOf } from './watched-span.ts'

/** @param span a span, or the proxy of one */
export function openSpanOf(span: unknown): OpenSpan | undefined {
  return watcherOf(span) as OpenSpan | undefined
}

/**
 * Ends a span of the AI SDK however its call ends. The SDK itself does not end the spans of a stream that fails or is not
 * read to its end, does not record its output, and reports a call as failed that the application aborted.
 */
export class OpenSpan extends SpanLife implements Watcher {
  readonly role: Role
  /** For a whole call. */
  predictor: OutcomePredictor | undefined
  /** For a whole call: its latest request to the model. */
  latest: OpenSpan | undefined
  /** Ends it as the SDK has reported, if the process ends before. */
  expectedEnd: (() => void) | undefined
  readonly #span: Span
  readonly #methods: SpanMethods
  readonly #options: OpenSpanOptions
  readonly #above: OpenSpan | undefined
  /** The span of the whole call. */
  readonly call: OpenSpan
  #below: Set<OpenSpan> | undefined
  #output: StreamedOutput | undefined
  #recordedOutput: Attributes | undefined
  #hasTiming = false
  #hasErrorType = false
  #expected: SpanOutcome | undefined
  #cancelled = false
  #counts: Attributes | undefined
  #answers: AnswersBelow | undefined

  constructor(span: Span, options: OpenSpanOptions) {
    super()
    const { role, above, watched = false } = options
    this.role = role
    this.#span = span
    this.timedCall = span.spanContext()
    this.#methods = watched ? watch(span, this) : span
    if (!watched) mark(span, this)
    this.#options = options
    this.#above = above
    this.call = role === 'call' || !above ? this : above.call
    if (above) {
      above.#below ??= new Set()
      above.#below.add(this)
    }
    if (role === 'model') this.call.#startRequest(this)
    this.touch()
    track(this)
  }

  /** Collects the output of its model from now on; undefined if it is collected already. */
  collectOutput(): StreamedOutput | undefined {
    if (this.role !== 'model' || this.#output || this.ended) return undefined
    this.#output = new StreamedOutput({ touch: () => this.touchChunk() })
    this.call.#output = this.#output
    return this.#output
  }

  /** Takes the answers to the requests below a request to the model, until it ends. */
  get answers(): AnswersBelow | undefined {
    if (this.role === 'model' && !this.ended) this.#answers ??= new AnswersBelow(this.#span)
    return this.#answers
  }

  /** Sets the outcome to use if the SDK never ends the span; `undefined` clears it. */
  expect(outcome: SpanOutcome | undefined): void {
    this.#expected = outcome
    this.touch()
  }

  /** @param answer of the model, or its last chunk: it has token counts that the SDK leaves out */
  recordTokens(answer: unknown): void {
    const counts = tokenCounts(answer, this.#options.dialect)
    // 5 and 6 themselves set some of them later.
    if (this.#options.dialect !== 'ai') this.#add(counts)
    else this.#counts = { ...counts, ...(this.#withContent && sourcesIn(asRecord(answer).content)) }
  }

  /** Records a failed request to its model, whose status 5 and 6 leave out. In 7 it may be retried in the same span. */
  requestFailed(error: unknown): void {
    if (this.#options.dialect === 'ai' && !isAbort(error)) this.#add(describeFailure(error).attributes)
  }

  #add(attributes: Attributes): void {
    if (this.role === 'model' && !this.ended) this.setAttributes(attributes)
  }

  /** Ends the span now, after all spans below it. */
  endAs(outcome: SpanOutcome): void {
    for (const each of [...(this.#below ?? [])]) each.endAs(outcome)
    this.#end(outcome)
  }

  /** The stream of its model ended early. If a call has steps, the SDK itself reports what follows. */
  modelEndedAs(outcome: SpanOutcome): void {
    const above = this.#above
    this.endAs(outcome)
    if (above?.role === 'call') above.endAs(outcome)
    above?.expect(outcome)
    this.call.expect(outcome)
  }

  /** Reading it has failed, which the SDK may not report. */
  failed(error: unknown): void {
    this.endAs(this.#outcome ?? outcomeOf(error))
  }

  endWithout(missing: MissingEnd): void {
    this.expectedEnd?.()
    this.endAs(this.#outcome ?? missing)
  }

  /** Activity in a span is activity in those above it. */
  override touch(now = performance.now()): void {
    super.touch(now)
    if (this.#above) this.#above.touch(now)
  }

  // From here on called by the SDK or, in version 7, by our telemetry.
  recordException(exception: Exception, at: TimeInput | undefined): void {
    this.#cancelled ||= isAbort(exception)
    if (this.#cancelled) return
    Reflect.apply(this.#methods.recordException, this.#span, [exception, at])
    if (!this.#hasErrorType) this.setAttributes(defined({ [GENERAL.ERROR_TYPE]: exceptionType(exception) }))
  }

  setStatus(status: SpanStatus): void {
    if (!this.#cancelled) Reflect.apply(this.#methods.setStatus, this.#span, [status])
  }

  setAttributes(attributes: Attributes): void {
    this.#recordedOutput ??= outputIn(attributes)
    this.#hasTiming ||= hasTiming(attributes)
    this.#hasErrorType ||= attributes[GENERAL.ERROR_TYPE] !== undefined
    const kept = boundedAttributes(withReasoning(this.role === 'model' ? attributes : withoutSums(attributes)))
    if (this.#options.watched) Reflect.apply(this.#methods.setAttributes, this.#span, [kept])
    else write(this.#span, kept)
  }

  /** Adds tools to the recorded request. */
  addTools(tools: readonly unknown[]): void {
    if (tools.length > 0 && !this.ended) addTools(this.#span, tools)
  }

  addEvent(event: Parameters<Span['addEvent']>): void {
    this.touch()
    Reflect.apply(this.#methods.addEvent, this.#span, event)
  }

  /** @param outcome how the call ended, unless it was cancelled before */
  end(at: TimeInput | undefined, outcome?: SpanOutcome): void {
    this.#end(this.#cancelled ? 'cancelled' : outcome, at)
  }

  get #withContent(): boolean {
    return this.call.#options.recordsOutput !== false && capturesContent()
  }

  get #outcome(): SpanOutcome | undefined {
    return this.#expected ?? this.call.#expected ?? this.call.predictor?.outcome
  }

  /** Ends a failed request to the model, which is retried with a span of its own. */
  #startRequest(model: OpenSpan): void {
    const before = this.latest
    const outcome = before ? before.#expected : undefined
    if (before && outcome) before.endAs(outcome)
    this.latest = model
  }

  #end(outcome: SpanOutcome | undefined, at?: TimeInput): void {
    if (this.ended) return
    // An end that was expected is noticed late, as is that of a result that is never read.
    const late = outcome === 'abandoned' || (outcome !== undefined && outcome === this.#outcome)
    if (!outcome) this.touch()
    this.finish(() => this.#record(outcome), late ? this.lastActivity : at)
  }

  #record(outcome: SpanOutcome | undefined): void {
    attempt('record the output of a model', () => this.#recordOutput())
    if (this.#counts) this.setAttributes(this.#counts)
    const { role, id, dialect } = this.#options
    attempt('read what a model answered', () => this.#answers?.end(dialect, this.#withContent))
    if (this.#above) this.#above.#below?.delete(this)
    // Requests that were retried would stay open otherwise.
    if (role === 'call' && this.#below) for (const each of this.#below) each.#end(outcome)
    if (id !== undefined) removeCall(id)
    if (typeof outcome === 'object') this.#fail(outcome.error)
    else if (outcome) this.setAttributes(outcomeAttributes(outcome))
    if (role === 'model' && (this.#hasErrorType || outcome === 'cancelled')) writeUnanswered(this.#span)
  }

  protected close(at: TimeInput | undefined): void {
    Reflect.apply(this.#methods.end, this.#span, [at])
    // Applications may hold results for long, and with them their call.
    this.#output = undefined
    this.#answers = undefined
    this.latest = undefined
  }

  #recordOutput(): void {
    const [{ role, dialect }, output, withContent] = [this.#options, this.#output, this.#withContent]
    if (!this.#recordedOutput) {
      // Of an answer that the SDK has no place for, or that fails it, the span of the model has more.
      if (role === 'call' && this.latest) this.setAttributes(this.latest.#recordedOutput ?? {})
      this.setAttributes(output?.attributes(dialect, role === 'model', withContent) ?? {})
    }
    if (output && role === 'model') this.setAttributes(output.figures(dialect, withContent, this.#hasTiming))
    if (output?.failure) this.#fail(output.failure.error)
  }

  #fail(error: unknown): void {
    const { message, attributes, exception } = describeFailure(error)
    this.setAttributes(attributes)
    this.recordException(exception, undefined)
    this.setStatus({ code: SpanStatusCode.ERROR, message })
  }
}
