import {
  type Attributes,
  type Context,
  createContextKey,
  type Span,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE } from '@svc/core/attributes'
import { withSpan } from '@svc/core/flat-context'
import { forget, type OpenCall, remember } from '@svc/core/open-calls'
import type { Failure } from '../calls/error.ts'
import { type Outcome, outcomeAttributes } from '../calls/outcome.ts'
import { drop, keep } from './runs.ts'
import type { TokenListener } from './token-listener.ts'

const RUN = createContextKey('svc.langchain.run')

/** The run whose work is done in `context`. */
export function runOf(context: Context): Run | undefined {
  return context.getValue(RUN) as Run | undefined
}

export interface RunStart {
  readonly id: string
  readonly parent: Run | undefined
  readonly tracer: Tracer
  readonly name: string
  readonly attributes: Attributes
  /** What the span starts under. */
  readonly context: Context
  /** Told when the run ended, with its trace. */
  readonly finished?: ((traceId: string) => void) | undefined
}

/** One run of LangChain, which is one span, however it goes: it ends exactly once. */
export class Run implements OpenCall {
  readonly id: string
  readonly parent: Run | undefined
  /** The runs below that have not ended. */
  readonly children = new Set<Run>()
  readonly began = performance.now()
  /** What the work of this run is done in. */
  readonly context: Context
  readonly recording: boolean
  /** The prompt of the service that the next generation below is made with. */
  prompt: Attributes | undefined
  /** What has arrived of a streamed answer. */
  tokens: TokenListener | undefined
  /** Whether any of it was something the model said. */
  spoken = false
  /** What has arrived of an answer, should it not come to its end. */
  partial: (() => Attributes) | undefined
  readonly #span: Span
  readonly #finished: RunStart['finished']
  /** What an agent has decided to do and not done yet. */
  #action: Span | undefined
  #lastSign = this.began
  #ended = false

  constructor({ id, parent, tracer, name, attributes, context, finished }: RunStart) {
    this.id = id
    this.parent = parent
    this.#finished = finished
    this.#span = tracer.startSpan(name, { attributes }, context)
    this.recording = this.#span.isRecording()
    this.context = withSpan(context, this.#span).setValue(RUN, this)
    parent?.children.add(this)
    keep(this)
    remember(this)
  }

  get ended(): boolean {
    return this.#ended
  }

  learn(attributes: Attributes): void {
    if (!this.#ended) this.#span.setAttributes(attributes)
  }

  /** Something was heard of the run. */
  sign(): number {
    this.#lastSign = performance.now()
    return this.#lastSign
  }

  /** One action of an agent ends, and another begins. */
  act(next: Span | undefined, done?: (action: Span) => void): void {
    if (this.#action) done?.(this.#action)
    this.#action?.end()
    this.#action = next
  }

  end(outcome?: Outcome): void {
    if (this.#ended) return
    if (outcome) this.#leaveUnfinished(outcomeAttributes(outcome))
    // What is abandoned is noticed late, by the garbage collector.
    this.#close(outcome === 'abandoned' ? this.#lastSign : undefined)
  }

  /** Ends what the work below still refers to, until it is {@link forgotten}. */
  endAhead(outcome: Outcome): void {
    this.end(outcome)
    keep(this)
  }

  /** Nothing below refers to it any more. */
  forgotten(): void {
    drop(this)
  }

  fail({ message, attributes, exception }: Failure): void {
    if (this.#ended) return
    this.#leaveUnfinished({
      ...attributes,
      [ATTRIBUTE.OBSERVATION_LEVEL]: 'ERROR',
      [ATTRIBUTE.OBSERVATION_STATUS_MESSAGE]: message,
    })
    this.#span.recordException(exception)
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message })
    this.#close()
  }

  /** Ends what is open of this run and below it. */
  endAll(outcome: Outcome): void {
    for (const child of [...this.children]) child.endAll(outcome)
    this.end(outcome)
  }

  abandon(): void {
    this.endAll('abandoned')
  }

  cutShort(): void {
    this.endAll('unfinished')
  }

  #leaveUnfinished(attributes: Attributes): void {
    const { partial } = this
    if (partial) attempt('put a streamed answer together', () => this.#span.setAttributes(partial()))
    this.#span.setAttributes(attributes)
  }

  #close(at?: number): void {
    this.#ended = true
    this.#action?.end(at)
    this.parent?.children.delete(this)
    drop(this)
    forget(this)
    this.#span.end(at)
    this.#finished?.(this.#span.spanContext().traceId)
  }
}
