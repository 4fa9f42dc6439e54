import {
  type Attributes,
  type Context,
  createContextKey,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE } from '@svc/core/attributes'
import { withSpan } from '@svc/core/flat-context'
import { forget, type OpenCall, remember } from '@svc/core/open-calls'
import { withToolSpan } from '../record/current.ts'
import type { Failure } from '../record/error.ts'
import { type Outcome, outcomeAttributes } from '../record/outcome.ts'
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
  /** Whether the span is named after a tool that it runs. Default false. */
  readonly isTool?: boolean
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
  /** What the work of this run is done in, as long as there is any. */
  context: Context
  readonly recording: boolean
  /** The prompt of the service that the next generation below is made with. */
  prompt: Attributes | undefined
  /** What has arrived of a streamed answer. */
  tokens: TokenListener | undefined
  /** Whether any of it was something the model said. */
  spoken = false
  /** What has arrived of an answer, should it not come to its end. */
  partial: (() => Attributes) | undefined
  /** How a run below failed, the last that did. */
  failedBelow: unknown
  // Streams hold on to their runs for longer than these last. Nothing of what was said may stay with them.
  #span: Span | undefined
  readonly #finished: RunStart['finished']
  /** What an agent has decided to do and not done yet. */
  #action: Span | undefined
  #lastSign = this.began

  constructor({ id, parent, tracer, name, attributes, context, isTool, finished }: RunStart) {
    this.id = id
    this.parent = parent
    this.#finished = finished
    const span = tracer.startSpan(name, { attributes }, context)
    this.#span = span
    this.recording = span.isRecording()
    const around = withSpan(context, span).setValue(RUN, this)
    this.context = isTool ? withToolSpan(around, span) : around
    parent?.children.add(this)
    keep(this)
    remember(this)
  }

  get ended(): boolean {
    return this.#span === undefined
  }

  learn(attributes: Attributes): void {
    this.#span?.setAttributes(attributes)
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
    const span = this.#span
    if (!span) return
    if (outcome) this.#leaveUnfinished(span, outcomeAttributes(outcome))
    // What is abandoned is noticed late, by the garbage collector.
    this.#close(span, outcome === 'abandoned' ? this.#lastSign : undefined)
  }

  /** Ends what the work below still refers to, until it is {@link forgotten}. */
  endAhead(outcome: Outcome): void {
    const { context } = this
    this.end(outcome)
    this.context = context
    keep(this)
  }

  /** Nothing below refers to it any more. */
  forgotten(): void {
    drop(this)
  }

  fail({ message, attributes, exception }: Failure): void {
    const span = this.#span
    if (!span) return
    this.#leaveUnfinished(span, {
      ...attributes,
      [ATTRIBUTE.OBSERVATION_LEVEL]: 'ERROR',
      [ATTRIBUTE.OBSERVATION_STATUS_MESSAGE]: message,
    })
    span.recordException(exception)
    span.setStatus({ code: SpanStatusCode.ERROR, message })
    this.#close(span)
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

  #leaveUnfinished(span: Span, attributes: Attributes): void {
    const { partial } = this
    if (partial) attempt('put a streamed answer together', () => span.setAttributes(partial()))
    span.setAttributes(attributes)
  }

  #close(span: Span, at?: number): void {
    this.#span = undefined
    this.context = ROOT_CONTEXT
    this.tokens = undefined
    this.partial = undefined
    this.failedBelow = undefined
    this.#action?.end(at)
    this.parent?.children.delete(this)
    drop(this)
    forget(this)
    span.end(at)
    this.#finished?.(span.spanContext().traceId)
  }
}
