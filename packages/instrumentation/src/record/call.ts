import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE, GEN_AI, GENERAL } from '@svc/core/attributes'
import { withSpan } from '@svc/core/flat-context'
import { forget, type OpenCall, remember } from '@svc/core/open-calls'
import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import { type ResponseContent, responseAttributes } from '../gen-ai/content.ts'
import { markRecorded } from './claim.ts'
import { callKey } from './current.ts'
import { describeFailure, isCancellation, timeoutOf } from './error.ts'
import { type Outcome, outcomeAttributes } from './outcome.ts'
import { tracerOf } from './tracer.ts'

export interface CallStart {
  /** Name of the tracer. */
  readonly scope: string
  /** `gen_ai.operation.name` */
  readonly operation: string
  /** Name of the span. Default: the operation and the model or tool. */
  readonly name?: string | undefined
  /** The model that is asked; it may become known later. */
  readonly model?: string | undefined
  /** The tool that is called, where it is no model. */
  readonly tool?: string | undefined
  /** Made for this call, which adds its own to them. */
  readonly attributes: Attributes
  /** The texts that must not be repeated in error messages: API keys, which may be known only when it fails. */
  readonly secrets?: () => readonly string[]
}

/** One call of a model or a tool, which is one span, however it goes: it ends exactly once. */
export class Call implements OpenCall {
  readonly recording: boolean
  /** By which the application may give up. */
  signal: unknown
  readonly #start: CallStart
  // Libraries hold on to what belongs to a call for longer than it lasts. Nothing of what was said may stay with it.
  #span: Span | undefined
  #context: Context | undefined
  readonly #began = performance.now()
  #lastSign = this.#began
  #departed = false
  #listener: StreamAccumulator | undefined
  #heard = false
  #spoken = false
  #whenAnswered: (() => void) | undefined

  constructor(start: CallStart) {
    const parent = context.active()
    const { scope, operation, name = spanName(operation, start.model ?? start.tool), model, tool, attributes } = start
    attributes[GEN_AI.OPERATION_NAME] = operation
    if (model !== undefined) attributes[GEN_AI.REQUEST_MODEL] = model
    if (tool !== undefined) attributes[GEN_AI.TOOL_NAME] = tool
    const options = { kind: SpanKind.CLIENT, attributes }
    this.#start = start
    const span = tracerOf(scope).startSpan(name, options, parent)
    this.#span = span
    this.recording = span.isRecording()
    const around = withSpan(parent, span)
    // Where a tool runs is the application's own affair; models belong to somebody else.
    this.#context = tool === undefined ? around.setValue(callKey, this) : around
    if (this.recording) remember(this)
    if (tool === undefined && operation !== 'embeddings') markRecorded(parent)
  }

  get ended(): boolean {
    return this.#span === undefined
  }

  /** Does the work that sends the request, with the span of this call as the active one. */
  run<T>(work: () => T): T {
    return this.#context ? context.with(this.#context, work) : work()
  }

  /** Adds what became known of the request after the start. */
  learn(model: string | undefined, attributes: Attributes): void {
    const span = this.#span
    if (!span) return
    if (model !== undefined && model !== this.#start.model) {
      if (this.#start.name === undefined) span.updateName(spanName(this.#start.operation, model))
      span.setAttribute(GEN_AI.REQUEST_MODEL, model)
    }
    span.setAttributes(attributes)
  }

  /** The request is about to be sent. False when it was before: retries belong to the same call. */
  depart(): boolean {
    if (!this.recording || this.#departed) return false
    this.#departed = true
    return true
  }

  /** The server has begun to answer. */
  arrive(): void {
    this.#lastSign = performance.now()
    const act = this.#whenAnswered
    this.#whenAnswered = undefined
    act?.()
  }

  /** Does something once the server has begun to answer. */
  whenAnswered(act: () => void): void {
    this.#whenAnswered = act
  }

  /** The answer comes in pieces, which go to `listener`. */
  listen(listener: StreamAccumulator): void {
    this.#listener = listener
  }

  hear(item: unknown): void {
    const span = this.#span
    const listener = this.#listener
    if (!span || !listener) return
    this.#lastSign = performance.now()
    if (!this.#heard) {
      this.#heard = true
      span.setAttribute(GEN_AI.RESPONSE_TIME_TO_FIRST_CHUNK, (this.#lastSign - this.#began) / 1_000)
    }
    if (!listener.add(item) || this.#spoken) return
    this.#spoken = true
    span.setAttribute(ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME, JSON.stringify(new Date()))
  }

  /** The whole answer is there. */
  answer(answer: ResponseContent): void {
    attempt('record an answer', () => this.#write(answer))
    this.end()
  }

  /** @param byCaller whether the application itself gave up */
  fail(error: unknown, byCaller = isCancellation(error)): void {
    if (byCaller) this.end('cancelled')
    const span = this.#span
    if (!span) return
    const { message, attributes, exception } = describeFailure(error, this.#start.secrets?.())
    this.#writeHeard()
    span.setAttributes(attributes)
    span.recordException(exception)
    span.setStatus({ code: SpanStatusCode.ERROR, message })
    this.#close(span)
  }

  end(outcome?: Outcome): void {
    const span = this.#span
    if (!span) return
    const timeout = outcome === 'cancelled' ? timeoutOf(this.signal) : undefined
    if (timeout) {
      this.fail(timeout, false)
      return
    }
    this.#writeHeard()
    if (outcome) span.setAttributes(outcomeAttributes(outcome))
    // An abandoned answer is noticed late, by the garbage collector.
    this.#close(span, outcome === 'abandoned' ? this.#lastSign : undefined)
  }

  abandon(): void {
    this.end('abandoned')
  }

  cutShort(): void {
    this.end('unfinished')
  }

  #writeHeard(): void {
    const listener = this.#listener
    if (listener) attempt('put a streamed answer together', () => this.#write(listener.answer))
  }

  #write(answer: ResponseContent): void {
    const span = this.#span
    if (!span) return
    span.setAttributes(responseAttributes(answer))
    if (!answer.failure) return
    span.setAttribute(GENERAL.ERROR_TYPE, answer.failure.type)
    span.setStatus({ code: SpanStatusCode.ERROR, message: answer.failure.message })
  }

  #close(span: Span, at?: number): void {
    this.#span = undefined
    this.#context = undefined
    this.#listener = undefined
    this.#whenAnswered = undefined
    this.signal = undefined
    forget(this)
    span.end(at)
  }
}

function spanName(operation: string, subject: string | undefined): string {
  return subject === undefined ? operation : `${operation} ${subject}`
}
