import { type Context, type Span, type TimeInput, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { track } from '@svc/core/open-calls'
import { type MissingEnd, SpanLife } from '@svc/core/span-life'
import type { Fields } from '../gen-ai/read.ts'
import { withFallbackRecorder } from '../record/claim.ts'
import { INTERRUPTED, outcomeAttributes } from '../record/outcome.ts'
import { getTracer } from '../record/tracer.ts'
import { write } from '../record/write.ts'
import { countToolCalls, readStepContent, type StepContent } from './model-step.ts'
import { recordStepError } from './step-error.ts'
import { describeStep, MODEL_STEPS, type StepDescription } from './steps.ts'

const SCOPE = '@svc/instrumentation-agents'
/** Most open steps. Beyond that the oldest ones are ended as abandoned. */
const LIMIT = 10_000

/** How many milliseconds an ended workflow waits for its open steps to end. */
const GRACE_MS = 1_000

/** How many milliseconds a workflow whose last step failed waits for a next one: the application may try again. */
const RETRY_MS = 5_000

/** Steps that take their input and output from the model calls below. */
const INHERITING_STEPS: ReadonlySet<unknown> = new Set(['workflow', 'agent'])

/** The open steps, by the library's ids of traces and spans. */
const openSteps = new Map<string, OpenStep>()

/** Called when the library starts a trace or a span. Returns undefined for an id that is not a string. */
export function addStep(id: unknown, start: OpenStepStart): OpenStep | undefined {
  if (typeof id !== 'string') return undefined
  const step = new OpenStep(id, start)
  openSteps.set(id, step)
  for (const oldest of openSteps.values()) {
    if (openSteps.size <= LIMIT) break
    oldest.endWithout('abandoned')
  }
  return step
}

export function getStep(id: unknown): OpenStep | undefined {
  return typeof id === 'string' ? openSteps.get(id) : undefined
}

/** The context for what runs inside a step, and the step's span; undefined if none was started. */
export interface StartedSpan {
  readonly context: Context
  readonly span?: Span | undefined
}

export interface OpenStepStart {
  /** The library's type of step. */
  readonly type: unknown
  readonly activeContext: Context
  readonly parent?: OpenStep | undefined
  readonly started: StartedSpan
}

/**
 * A step of the library that has started and not ended: the workflow (the library's trace), an agent, a tool call, a
 * model call. A model step starts no span: the client that makes the call may record it, with more than the library
 * reports. Only if none did, the span is created at the end of the step.
 */
export class OpenStep extends SpanLife {
  readonly activeContext: Context
  /** The context for what runs inside the step. */
  readonly context: Context
  readonly #id: string
  readonly #type: unknown
  readonly #parent: OpenStep | undefined
  #span: Span | undefined
  #isRecordedByClient = false
  /** For a workflow: the error of the latest failed step. */
  #anyError: unknown
  /** For a workflow: the error of the last step; undefined if that succeeded. */
  #lastError: unknown
  /** Input and output that model calls below have passed up. */
  #content: StepContent | undefined
  /** For a workflow: the number of its open steps. */
  #openChildren = 0
  /** For a workflow: when the library ended it. Its span may end later, with this time. */
  #endedAt: number | undefined
  /** For a workflow: how many tools of its last model call have not run. If there are any at its end, a person is asked. */
  #unanswered = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #isGivenUp = false

  constructor(id: string, { type, activeContext, parent, started: { context, span } }: OpenStepStart) {
    super()
    this.#id = id
    this.#type = type
    this.#parent = parent
    this.activeContext = activeContext
    this.#span = span
    this.context = this.#isModel ? withFallbackRecorder(context, () => this.#markRecordedByClient()) : context
    track(this)
  }

  /** Ends the step with the data that the library reports. */
  end(data: Fields, error: unknown): void {
    this.finish(() => {
      if (this.#isModel && !this.#isRecordedByClient) this.#span ??= this.#startModelSpan(data)
      const span = this.#span
      if (span) attempt('read a step of a run', () => describeEndedStep(span, data, error))
      if (this.#type === 'agent' && !error && this.#workflow.#unanswered > 0) span?.setAttributes(INTERRUPTED)
      if (this.#isModel) attempt('read a call of a model', () => this.#passContent(readStepContent(data)))
    })
  }

  /** Called when a step of this workflow starts. */
  childStarted({ type }: Fields): void {
    this.#openChildren += 1
    if (type === 'function') this.#unanswered -= 1
    // Of several only the first is done.
    else if (type === 'handoff') this.#unanswered = 0
    if (this.#endedAt === undefined) clearTimeout(this.#timer)
  }

  /** Called when a step of this workflow ends. */
  childEnded(data: Fields, error: unknown): void {
    this.#openChildren -= 1
    this.touch()
    if (MODEL_STEPS.has(data.type)) this.#unanswered = countToolCalls(data)
    this.#lastError = error
    this.#anyError = error ?? this.#anyError
    if (this.#openChildren > 0) return
    if (this.#endedAt !== undefined) this.#endWithLastError()
    // The library does not end the trace of a failed run.
    else if (error) this.#timer = setTimeout(() => this.#giveUp(), RETRY_MS).unref()
  }

  /** Whether this workflow was ended as failed, though its application may go on with it. */
  get isGivenUp(): boolean {
    return this.#isGivenUp
  }

  #giveUp(): void {
    this.#isGivenUp = true
    this.#endWithLastError()
  }

  /** Ends the workflow after its steps: with streaming the library may end them later than the workflow, or never. */
  endWorkflow(): void {
    this.#endedAt = performance.now()
    if (this.#openChildren <= 0) this.#endWithLastError()
    else this.#timer = setTimeout(() => this.#endWithLastError(), GRACE_MS).unref()
  }

  /** Ends the workflow with the error of its last step, if any. */
  #endWithLastError(): void {
    this.finish(() => {
      if (this.#span && this.#lastError) recordStepError(this.#span, this.#lastError)
      else if (this.#unanswered > 0) this.#span?.setAttributes(INTERRUPTED)
    }, this.#endedAt ?? this.lastActivity)
  }

  endWithout(missing: MissingEnd): void {
    const hasFailed = this.#openChildren <= 0 && this.#lastError
    if (this.#endedAt !== undefined || hasFailed) {
      this.#endWithLastError()
      return
    }
    this.finish(() => {
      if (this.#span && this.#anyError) recordStepError(this.#span, this.#anyError)
      else this.#span?.setAttributes(outcomeAttributes(missing))
    }, this.endTime(missing))
  }

  protected close(at: TimeInput | undefined): void {
    clearTimeout(this.#timer)
    openSteps.delete(this.#id)
    const span = this.#span
    if (this.#content && span) write(span, { ...this.#content.input, ...this.#content.output })
    span?.end(at)
  }

  get #workflow(): OpenStep {
    return this.#parent ? this.#parent.#workflow : this
  }

  get #isModel(): boolean {
    return MODEL_STEPS.has(this.#type)
  }

  /**
   * Passes the messages of a model call up to its agent and workflow: the first input and the last output. Not above a
   * tool that calls models, because what a tool does is no part of its agent's conversation.
   */
  #passContent({ input, output }: StepContent): void {
    for (let above = this.#parent; above && above.#type !== 'function'; above = above.#parent) {
      if (INHERITING_STEPS.has(above.#type)) above.#content = { input: above.#content?.input ?? input, output }
    }
  }

  /** Called when a client records the model call of this step: its span has more than the library reports. */
  #markRecordedByClient(): void {
    this.#isRecordedByClient = true
  }

  #startModelSpan(data: Fields): Span {
    return startSpan(describeStep(data), this.context, this.startedAt).span
  }
}

function describeEndedStep(span: Span, data: Fields, error: unknown): void {
  const { name, attributes } = describeStep(data)
  span.updateName(name)
  write(span, attributes)
  if (error) recordStepError(span, error)
}

export function startSpan(
  { name, kind, attributes, links = [] }: StepDescription,
  parent: Context,
  startTime?: number,
) {
  const options = { attributes, links, ...(kind === undefined ? {} : { kind }) }
  const span = getTracer(SCOPE).startSpan(name, { ...options, ...(startTime ? { startTime } : {}) }, parent)
  return { span, context: trace.setSpan(parent, span) }
}
