import {
  type Attributes,
  type Context,
  createContextKey,
  ROOT_CONTEXT,
  type Span,
  type TimeInput,
  type Tracer,
} from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE } from '@svc/core/attributes'
import { withSpan } from '@svc/core/flat-context'
import { track } from '@svc/core/open-calls'
import { type MissingEnd, SpanLife } from '@svc/core/span-life'
import { asName } from '../gen-ai/read.ts'
import type { OpenRequest } from '../record/answer-taker.ts'
import { withToolSpan } from '../record/current.ts'
import { failSpan, type SpanFailure } from '../record/error.ts'
import { type CallOutcome, INTERRUPTED, outcomeAttributes } from '../record/outcome.ts'
import { write, writeUnanswered } from '../record/write.ts'
import { linksOfThread, pausedAt, withQuestions } from './pauses.ts'
import { addRun, removeRun } from './runs.ts'
import type { TokenAccumulator } from './token-accumulator.ts'

const RUN = createContextKey('svc.langchain.run')

/** Returns the run whose work runs in `context`. */
export function runInContext(context: Context): LangChainRun | undefined {
  return context.getValue(RUN) as LangChainRun | undefined
}

export interface RunStart {
  readonly id: string
  readonly parent: LangChainRun | undefined
  readonly tracer: Tracer
  readonly name: string
  readonly attributes: Attributes
  /** The parent context. */
  readonly context: Context
  /** Whether the span's name is the name of the tool. Default false. */
  readonly isTool?: boolean
  /** LangGraph's thread that it is part of. */
  readonly thread?: unknown
  describeOutput(output: unknown): Attributes
  describeError(error: unknown): SpanFailure
  readonly onEnd?: ((traceId: string) => void) | undefined
}

/** What an agent decided to do. */
export interface AgentAction {
  /** The tool. */
  readonly name: string
  readonly record: () => void
}

/** Most actions that wait for their tools. */
const ACTIONS = 128

/** The span of one LangChain run. */
export class LangChainRun extends SpanLife {
  readonly id: string
  readonly parent: LangChainRun | undefined
  /** Open runs below. */
  readonly children = new Set<LangChainRun>()
  /** The context of the run's work, until it ends. */
  context: Context
  readonly recording: boolean
  /** The service's prompt for the next generation below. */
  prompt: Attributes | undefined
  /** The streamed response so far. */
  tokens: TokenAccumulator | undefined
  /** Whether the stream contained output of the model. */
  hasOutput = false
  /** Returns the attributes of a partial response, for a run that ends early. */
  partial: (() => Attributes) | undefined
  /** What runs below ask a person, for which the graph pauses; empty at a breakpoint. Undefined if it does not pause. */
  questions: readonly unknown[] | undefined
  /** LangGraph's thread. Not private: the run below may be made by another copy of this class. */
  readonly thread: unknown
  /** The error of the last run below that failed. */
  failedBelow: unknown
  /** Of models that send their requests themselves. */
  readonly #requests = new Set<OpenRequest>()
  // Streams reference their runs longer than these last: content must not stay with them.
  #span: Span | undefined
  readonly #model: string | undefined
  readonly #onEnd: RunStart['onEnd']
  readonly #describeError: RunStart['describeError']
  readonly #describeOutput: RunStart['describeOutput']
  /** The thread, for the outermost run in it. */
  readonly #ownThread: unknown
  /** The agent's actions that no run of a tool has followed yet, by name. */
  #actions: AgentAction[] = []

  constructor(start: RunStart) {
    super()
    const { id, parent, tracer, name, attributes, context, isTool, thread, onEnd, describeError, describeOutput } =
      start
    this.id = id
    this.parent = parent
    this.#onEnd = onEnd
    this.#describeError = describeError
    this.#describeOutput = describeOutput
    this.thread = thread
    this.#ownThread = parent?.thread === thread ? undefined : thread
    const span = tracer.startSpan(name, { attributes, links: linksOfThread(this.#ownThread) }, context)
    this.#span = span
    this.timedCall = span.spanContext()
    this.#model = asName(attributes[ATTRIBUTE.OBSERVATION_MODEL])
    this.recording = span.isRecording()
    const runContext = withSpan(context, span).setValue(RUN, this)
    this.context = isTool ? withToolSpan(runContext, span) : runContext
    parent?.children.add(this)
    addRun(this)
    track(this)
  }

  /** What its answer says is added when the run ends, if it has not ended before. */
  follow(request: OpenRequest): void {
    if (!this.ended) this.#requests.add(request)
  }

  /** Reads what was answered on the wire so far: what is written first stays. */
  readAnswers(): void {
    for (const request of this.#requests) request.end()
    this.#requests.clear()
  }

  setAttributes(attributes: Attributes): void {
    if (this.#span) write(this.#span, attributes, this.#model)
  }

  /** An agent decided what to do, which the run of a tool below is to show. */
  actionDecided(action: AgentAction): void {
    this.#actions.push(action)
    if (this.#actions.length > ACTIONS) this.recordActions()
  }

  /** A tool runs below: it is the action that names it, or else the first one. */
  toolStarted(name: string): void {
    const at = this.#actions.findIndex((action) => action.name === name)
    this.#actions.splice(Math.max(0, at), 1)
  }

  /** Records the actions that no tool has shown. */
  recordActions(): void {
    for (const { record } of this.#actions.splice(0)) attempt('record an action', record)
  }

  end(outcome?: CallOutcome): void {
    this.finish(() => {
      // Its question may be the last that the application reads.
      if (outcome && outcome !== 'cancelled' && this.questions)
        this.setAttributes({ ...this.#describeOutput(withQuestions(undefined, this)), ...INTERRUPTED })
      else if (outcome) this.#writeUnfinished(outcomeAttributes(outcome), outcome === 'cancelled')
    }, this.endTime(outcome))
  }

  /** Ends the run while work below still refers to it, until {@link removeFromOpenRuns}. */
  endBeforeChildren(outcome: CallOutcome): void {
    const { context } = this
    this.end(outcome)
    this.context = context
    addRun(this)
  }

  /** Called when no work below refers to the run any more. */
  removeFromOpenRuns(): void {
    removeRun(this)
  }

  failWith(error: unknown): void {
    this.finish(() => {
      const failure = this.#describeError(error)
      this.#writeUnfinished(
        {
          [ATTRIBUTE.OBSERVATION_LEVEL]: 'ERROR',
          [ATTRIBUTE.OBSERVATION_STATUS_MESSAGE]: failure.message,
        },
        true,
      )
      if (this.#span) failSpan(this.#span, failure)
    })
  }

  /** Ends this run and all open runs below. */
  endAll(outcome: CallOutcome): void {
    for (const child of [...this.children]) child.endAll(outcome)
    this.end(outcome)
  }

  endWithout(missing: MissingEnd): void {
    this.endAll(missing)
  }

  #writeUnfinished(attributes: Attributes, isAnswerless: boolean): void {
    const { partial } = this
    this.readAnswers()
    if (partial) attempt('put a streamed answer together', () => this.setAttributes(partial()))
    this.setAttributes(attributes)
    if (isAnswerless && this.#span) writeUnanswered(this.#span)
  }

  protected close(at: TimeInput | undefined): void {
    const span = this.#span
    this.recordActions()
    this.#span = undefined
    this.context = ROOT_CONTEXT
    this.tokens = undefined
    this.partial = undefined
    this.failedBelow = undefined
    if (span && this.questions) pausedAt(this.#ownThread, span.spanContext())
    this.questions = undefined
    this.parent?.children.delete(this)
    removeRun(this)
    span?.end(at)
    if (span) this.#onEnd?.(span.spanContext().traceId)
  }
}
