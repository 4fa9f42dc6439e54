import { type Context, type Span, type TimeInput, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { type MissingEnd, SpanLife } from '@svc/core/span-life'
import type { Fields } from '../gen-ai/read.ts'
import { withFallbackRecorder } from '../record/claim.ts'
import { outcomeAttributes } from '../record/outcome.ts'
import { tracerOf } from '../record/tracer.ts'
import { write } from '../record/write.ts'
import { fail } from './failing.ts'
import { type Content, contentOf } from './model-step.ts'
import { MODEL_STEPS, type Step, stepOf } from './steps.ts'

const SCOPE = '@svc/instrumentation-agents'
/** More steps at once than that, and the oldest are forgotten: they were never ended. */
const LIMIT = 10_000

/** For so long a workflow that has ended waits for its steps. */
const GRACE_MS = 1_000

/** Steps whose input and output are those of the models below. */
const INHERITING_STEPS: ReadonlySet<unknown> = new Set(['workflow', 'agent'])

/** The steps that run, by the library's own ids of traces and spans. */
const running = new Map<string, Running>()

export function keep(id: unknown, place: Place): Running | undefined {
  if (typeof id !== 'string') return undefined
  const step = new Running(id, place)
  running.set(id, step)
  for (const oldest of running.values()) {
    if (running.size <= LIMIT) break
    oldest.endUnread()
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
export class Running extends SpanLife {
  readonly below: Context
  readonly context: Context
  readonly #id: string
  readonly #type: unknown
  readonly #above: Running | undefined
  #span: Span | undefined
  #isRecordedByClient = false
  #failure: unknown
  #last: unknown
  #content: Content | undefined
  /** Steps of this workflow that run. */
  #steps = 0
  #endedAt: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(id: string, { type, below, above, made: { context, span } }: Place) {
    super()
    this.#id = id
    this.#type = type
    this.#above = above
    this.below = below
    this.#span = span
    this.context = this.#isModel ? withFallbackRecorder(context, () => this.#leaveToClient()) : context
    this.track()
  }

  /** The step ends, with all that the library says of it. */
  end(data: Fields, error: unknown): void {
    this.finish(() => {
      if (this.#isModel && !this.#isRecordedByClient) this.#span ??= this.#startLate(data)
      const span = this.#span
      if (span) attempt('read a step of a run', () => describe(span, data, error))
      if (this.#isModel) attempt('read a call of a model', () => this.#pass(contentOf(data)))
    })
  }

  /** A step of this workflow begins. */
  expect(): void {
    this.#steps += 1
  }

  /** A step of this workflow has ended. */
  childEnded(error: unknown): void {
    this.#steps -= 1
    this.touch()
    this.#last = error
    this.#failure = error ?? this.#failure
    if (this.#endedAt !== undefined && this.#steps <= 0) this.#endAsLast()
  }

  /** Where the answer is streamed, the library may end the steps later than the whole, or never. */
  endWorkflow(): void {
    this.#endedAt = performance.now()
    if (this.#steps <= 0) this.#endAsLast()
    else this.#timer = setTimeout(() => this.#endAsLast(), GRACE_MS).unref()
  }

  /** It went as its last step did. */
  #endAsLast(): void {
    this.finish(() => {
      if (this.#span && this.#last) fail(this.#span, this.#last)
    }, this.#endedAt)
  }

  protected endWithout(missing: MissingEnd): void {
    if (this.#endedAt !== undefined) {
      this.#endAsLast()
      return
    }
    this.finish(() => {
      if (this.#span && this.#failure) fail(this.#span, this.#failure)
      else this.#span?.setAttributes(outcomeAttributes(missing))
    }, this.endTime(missing))
  }

  protected close(at: TimeInput | undefined): void {
    clearTimeout(this.#timer)
    running.delete(this.#id)
    const span = this.#span
    if (this.#content && span) write(span, { ...this.#content.input, ...this.#content.output })
    span?.end(at)
  }

  get #isModel(): boolean {
    return MODEL_STEPS.has(this.#type)
  }

  /** An agent, and a workflow, has the input of its first model and the output of its last one; a tool has its own. */
  #pass({ input, output }: Content): void {
    for (let above = this.#above; above && above.#type !== 'function'; above = above.#above) {
      if (INHERITING_STEPS.has(above.#type)) above.#content = { input: above.#content?.input ?? input, output }
    }
  }

  /** The client that is called records more than the library tells. */
  #leaveToClient(): void {
    this.#isRecordedByClient = true
  }

  #startLate(data: Fields): Span {
    return startSpan(stepOf(data), this.context, this.startedAt).span
  }
}

function describe(span: Span, data: Fields, error: unknown): void {
  const { name, attributes } = stepOf(data)
  span.updateName(name)
  write(span, attributes)
  if (error) fail(span, error)
}

export function startSpan({ name, kind, attributes }: Step, parent: Context, startTime?: number) {
  const options = { attributes, ...(kind === undefined ? {} : { kind }) }
  const span = tracerOf(SCOPE).startSpan(name, { ...options, ...(startTime ? { startTime } : {}) }, parent)
  return { span, context: trace.setSpan(parent, span) }
}
