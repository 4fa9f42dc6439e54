import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE, GEN_AI, GENERAL } from '@svc/core/attributes'
import { toMetadataText } from '@svc/core/json'
import { forget, type OpenCall, remember } from '@svc/core/open-calls'
import { VERSION } from '@svc/core/version'
import { callKey } from './current.ts'
import { describeFailure, isCancellation } from './error.ts'
import { type Answer, answerAttributes } from './result.ts'

/** How a call ended, where that is neither an answer nor an error. */
const OUTCOMES = {
  cancelled: 'cancelled by the caller',
  'stopped early': 'the caller stopped reading before the end',
  abandoned: 'nobody read the answer to its end',
  unfinished: 'the process ended before the answer did',
} as const
export type Outcome = keyof typeof OUTCOMES

/** Puts a streamed answer together. */
export interface Listener {
  /** Takes the next item; true when it brings something the model said. */
  add(item: unknown): boolean
  /** Whether the model has said everything. */
  readonly complete: boolean
  /** The answer as far as it has arrived. */
  readonly answer: Answer
}

export interface CallStart {
  /** Name of the tracer. */
  readonly scope: string
  /** `gen_ai.operation.name` */
  readonly operation: string
  readonly model: string | undefined
  readonly attributes: Attributes
  /** The texts that must not be repeated in error messages: API keys, which may be known only when it fails. */
  readonly secrets: () => readonly string[]
}

/** One call of a model, which is one span, however it goes: it ends exactly once. */
export class Call implements OpenCall {
  /** What the request runs in. */
  readonly context: Context
  readonly recording: boolean
  readonly #start: CallStart
  readonly #span: Span
  readonly #began = performance.now()
  #lastSign = this.#began
  #request: 'prepared' | 'under way' | 'answered' = 'prepared'
  #listener: Listener | undefined
  #heard = false
  #spoken = false
  #forgotten = false
  #ended = false

  constructor(start: CallStart) {
    const parent = context.active()
    const { scope, operation, model } = start
    const attributes = { [GEN_AI.OPERATION_NAME]: operation, ...modelAttribute(model), ...start.attributes }
    const name = spanName(operation, model)
    this.#start = start
    this.#span = trace.getTracer(scope, VERSION).startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent)
    this.recording = this.#span.isRecording()
    const around = trace.setSpan(parent, this.#span)
    this.context = this.recording ? around.setValue(callKey, this) : around
    if (this.recording) remember(this)
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Adds what became known of the request after the start. */
  learn(model: string | undefined, attributes: Attributes): void {
    if (this.#ended) return
    if (model !== undefined) this.#span.updateName(spanName(this.#start.operation, model))
    this.#span.setAttributes({ ...modelAttribute(model), ...attributes })
  }

  /** The request is about to be sent. False when it was before: retries belong to the same call. */
  depart(): boolean {
    if (this.#request !== 'prepared') return false
    this.#request = 'under way'
    return true
  }

  /** The server has begun to answer. */
  arrive(): void {
    this.#request = 'answered'
    this.#lastSign = performance.now()
    if (this.#forgotten) this.end('abandoned')
  }

  /** The answer comes in pieces, which go to `listener`. */
  listen(listener: Listener): void {
    this.#listener = listener
  }

  hear(item: unknown): void {
    const listener = this.#listener
    if (this.#ended || !listener) return
    this.#lastSign = performance.now()
    if (!this.#heard) {
      this.#heard = true
      this.#span.setAttribute(GEN_AI.RESPONSE_TIME_TO_FIRST_CHUNK, (this.#lastSign - this.#began) / 1_000)
    }
    const spoken = attempt('read a chunk', () => listener.add(item))
    if (spoken && !this.#spoken) {
      this.#spoken = true
      this.#span.setAttribute(ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME, JSON.stringify(new Date()))
    }
  }

  /** The whole answer is there. */
  answer(answer: Answer): void {
    attempt('record an answer', () => this.#write(answer))
    this.end()
  }

  fail(error: unknown): void {
    if (isCancellation(error)) this.end('cancelled')
    if (this.#ended) return
    const { message, attributes, exception } = describeFailure(error, this.#start.secrets())
    this.#writeHeard()
    this.#span.setAttributes(attributes)
    this.#span.recordException(exception)
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message })
    this.#close()
  }

  end(outcome?: Outcome): void {
    if (this.#ended) return
    this.#writeHeard()
    if (outcome) this.#span.setAttributes(outcomeAttributes(outcome))
    // An abandoned answer is noticed late, by the garbage collector.
    this.#close(outcome === 'abandoned' ? this.#lastSign : undefined)
  }

  abandon(): void {
    // A call that nobody waits for may still go well or fail: the server decides first.
    if (this.#request === 'under way') this.#forgotten = true
    else this.end('abandoned')
  }

  cutShort(): void {
    this.end('unfinished')
  }

  #writeHeard(): void {
    const listener = this.#listener
    if (listener) attempt('put a streamed answer together', () => this.#write(listener.answer))
  }

  #write(answer: Answer): void {
    if (this.#ended) return
    this.#span.setAttributes(answerAttributes(answer))
    if (!answer.failure) return
    this.#span.setAttribute(GENERAL.ERROR_TYPE, answer.failure.type)
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message: answer.failure.message })
  }

  #close(at?: number): void {
    this.#ended = true
    forget(this)
    this.#span.end(at)
  }
}

function spanName(operation: string, model: string | undefined): string {
  return model === undefined ? operation : `${operation} ${model}`
}

function modelAttribute(model: string | undefined): Attributes {
  return model === undefined ? {} : { [GEN_AI.REQUEST_MODEL]: model }
}

function outcomeAttributes(outcome: Outcome): Attributes {
  return {
    [`${ATTRIBUTE.OBSERVATION_METADATA}.outcome`]: toMetadataText(outcome),
    [ATTRIBUTE.OBSERVATION_STATUS_MESSAGE]: OUTCOMES[outcome],
    ...(outcome === 'cancelled' ? { [ATTRIBUTE.OBSERVATION_LEVEL]: 'WARNING' } : {}),
  }
}
