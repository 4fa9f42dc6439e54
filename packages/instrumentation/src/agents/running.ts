import { type Context, type Span, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { forget, type OpenCall, remember } from '@svc/core/open-calls'
import type { Fields } from '../gen-ai/read.ts'
import { withFallbackRecorder } from '../record/claim.ts'
import { type Outcome, outcomeAttributes } from '../record/outcome.ts'
import { tracerOf } from '../record/tracer.ts'
import { fail } from './failing.ts'
import { type Said, saidIn } from './model-step.ts'
import { MODEL_STEPS, type Step, stepOf } from './steps.ts'

const SCOPE = '@svc/instrumentation-agents'
/** More steps at once than that, and the oldest are forgotten: they were never ended. */
const LIMIT = 10_000

/** For so long a workflow that has ended waits for its steps. */
const GRACE_MS = 1_000

/** Steps whose words are those of the models below. */
const TELLING: ReadonlySet<unknown> = new Set(['workflow', 'agent'])

/** The steps that run, by the library's own ids of traces and spans. */
const running = new Map<string, Running>()

export function keep(id: unknown, place: Place): Running | undefined {
  if (typeof id !== 'string') return undefined
  const step = new Running(id, place)
  running.set(id, step)
  for (const oldest of running.values()) {
    if (running.size <= LIMIT) break
    oldest.abandon()
  }
  return step
}

export function runningOf(id: unknown): Running | undefined {
  return typeof id === 'string' ? running.get(id) : undefined
}

export interface Made {
  readonly context: Context
  readonly span?: Span | undefined
}

export interface Place {
  /** What the library calls it. */
  readonly type: unknown
  /** What was active when it began. */
  readonly below: Context
  readonly above?: Running | undefined
  readonly made: Made
}

/** A step that runs. */
export class Running implements OpenCall {
  readonly below: Context
  readonly context: Context
  readonly #id: string
  readonly #type: unknown
  readonly #above: Running | undefined
  readonly #span: Span | undefined
  readonly #began = Date.now()
  #claimed = false
  #lastSign: number | undefined
  #failure: unknown
  #last: unknown
  #said: Said | undefined
  /** Steps of this workflow that run. */
  #steps = 0
  #endedAt: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(id: string, { type, below, above, made: { context, span } }: Place) {
    this.#id = id
    this.#type = type
    this.#above = above
    this.below = below
    this.#span = span
    this.context = this.#isModel ? withFallbackRecorder(context, () => this.#claim()) : context
    remember(this)
  }

  finish(data: Fields, error: unknown): void {
    const span = this.#span ?? (this.#isModel && !this.#claimed ? this.#late(data) : undefined)
    if (span) attempt('read a step of a run', () => describe(span, data, error))
    if (this.#isModel) attempt('hear a model', () => this.#tell(saidIn(data)))
    this.end(span)
  }

  /** A step of this workflow begins. */
  expect(): void {
    this.#steps += 1
  }

  /** A step of this workflow has ended. */
  hear(error: unknown): void {
    this.#steps -= 1
    this.#lastSign = Date.now()
    this.#last = error
    this.#failure = error ?? this.#failure
    if (this.#endedAt !== undefined && this.#steps <= 0) this.#endAsLast()
  }

  /** Where the answer is streamed, the library may end the steps later than the whole, or never. */
  endWorkflow(): void {
    this.#endedAt = Date.now()
    if (this.#steps <= 0) this.#endAsLast()
    else this.#timer = setTimeout(() => this.#endAsLast(), GRACE_MS).unref()
  }

  /** It went as its last step did. */
  #endAsLast(): void {
    clearTimeout(this.#timer)
    if (this.#span && this.#last) fail(this.#span, this.#last)
    this.end(this.#span, this.#endedAt)
  }

  end(span = this.#span, at?: number): void {
    running.delete(this.#id)
    forget(this)
    if (this.#said) span?.setAttributes({ ...this.#said.asked, ...this.#said.answered })
    span?.end(at)
  }

  abandon(): void {
    this.#giveUp('abandoned')
  }

  cutShort(): void {
    this.#giveUp('unfinished')
  }

  #giveUp(outcome: Outcome): void {
    if (this.#endedAt !== undefined) {
      this.#endAsLast()
      return
    }
    const span = this.#span
    if (span && this.#failure) fail(span, this.#failure)
    else span?.setAttributes(outcomeAttributes(outcome))
    this.end(span, this.#lastSign)
  }

  get #isModel(): boolean {
    return MODEL_STEPS.has(this.#type)
  }

  /** An agent, and a workflow, is asked what its first model is, and says what its last one does; a tool has its own. */
  #tell(said: Said): void {
    for (let above = this.#above; above && above.#type !== 'function'; above = above.#above) {
      if (TELLING.has(above.#type)) above.#said = { asked: above.#said?.asked ?? said.asked, answered: said.answered }
    }
  }

  /** The client that is asked tells more than the library does. */
  #claim(): void {
    this.#claimed = true
  }

  #late(data: Fields): Span {
    return startSpan(stepOf(data), this.context, this.#began).span
  }
}

function describe(span: Span, data: Fields, error: unknown): void {
  const { name, attributes } = stepOf(data)
  span.updateName(name).setAttributes(attributes)
  if (error) fail(span, error)
}

export function startSpan({ name, kind, attributes }: Step, parent: Context, startTime?: number) {
  const options = { attributes, ...(kind === undefined ? {} : { kind }) }
  const span = tracerOf(SCOPE).startSpan(name, { ...options, ...(startTime ? { startTime } : {}) }, parent)
  return { span, context: trace.setSpan(parent, span) }
}
