import { type Context, type Span, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE } from '@svc/core/attributes'
import { withPropagatedAttributes } from '@svc/core/context'
import { abandonWithout, forget, type OpenCall, remember } from '@svc/core/open-calls'
import { withClaim } from '../calls/claim.ts'
import { type Outcome, outcomeAttributes } from '../calls/outcome.ts'
import { type Fields, fieldsOf, isObject, nameOf } from '../calls/read.ts'
import { tracerOf } from '../calls/tracer.ts'
import { plainContext } from './ambient.ts'
import { fail } from './failing.ts'
import { MODEL_STEPS, SILENT_STEPS, type Step, stepOf, workflowOf } from './steps.ts'

const SCOPE = '@svc/instrumentation-agents'
/** More steps at once than that, and the oldest are forgotten: they were never ended. */
const LIMIT = 10_000

/** A run that waited for an approval goes on in its trace, which has ended. */
let currentTrace = (): unknown => undefined

/** @param read gives the trace that the library is in */
export function findTraceBy(read: () => unknown): void {
  currentTrace = read
}

/** The steps that run, by the library's own ids of traces and spans. */
const running = new Map<string, Running>()

/**
 * The trace processor of the Agents SDK that makes a span of each step. The library awaits what these methods return
 * before it tells the next processor.
 */
export const processor = {
  onTraceStart(started: unknown): void {
    attempt('begin the trace of a run', () => {
      const { traceId, name, metadata } = fieldsOf(started)
      const above = plainContext()
      const workflow = keep(traceId, above, startSpan(workflowOf({ name, metadata }), withSessionOf(started, above)))
      // The library does not end the trace of a run that fails.
      if (workflow && isObject(started)) abandonWithout(started, workflow)
    })
  },
  onTraceEnd(ended: unknown): void {
    attempt('end the trace of a run', () => runningOf(fieldsOf(ended).traceId)?.endWorkflow())
  },
  onSpanStart(started: unknown): void {
    attempt('begin a step of a run', () => {
      const { spanId, parentId, traceId, spanData } = fieldsOf(started)
      beginStep(spanId, runningOf(parentId) ?? runningOf(traceId), fieldsOf(spanData))
    })
  },
  onSpanEnd(ended: unknown): void {
    attempt('end a step of a run', () => {
      const { spanId, traceId, spanData, error } = fieldsOf(ended)
      runningOf(spanId)?.finish(fieldsOf(spanData), error)
      runningOf(traceId)?.hear(error)
    })
  },
  async shutdown(): Promise<void> {},
  async forceFlush(): Promise<void> {},
}

/** The context of the step with this id, where the application has entered no other since it began. */
export function contextWithin(id: unknown, active: Context): Context | undefined {
  const step = runningOf(id)
  return step?.below === active ? step.context : undefined
}

interface Made {
  readonly context: Context
  readonly span?: Span | undefined
}

/** A step that runs. */
class Running implements OpenCall {
  /** What was active when it began. */
  readonly below: Context
  readonly context: Context
  readonly #id: string
  readonly #span: Span | undefined
  readonly #began = Date.now()
  readonly #model: boolean
  #claimed = false
  #lastSign: number | undefined
  #failure: unknown
  #last: unknown

  constructor(id: string, below: Context, { context, span }: Made, model: boolean) {
    this.#id = id
    this.below = below
    this.#span = span
    this.#model = model
    this.context = model ? withClaim(context, () => this.#claim()) : context
    remember(this)
  }

  finish(data: Fields, error: unknown): void {
    const span = this.#span ?? (this.#model && !this.#claimed ? this.#late(data) : undefined)
    if (span) attempt('read a step of a run', () => describe(span, data, error))
    this.end(span)
  }

  /** A step of this workflow has ended. */
  hear(error: unknown): void {
    this.#lastSign = Date.now()
    this.#last = error
    this.#failure = error ?? this.#failure
  }

  /** It went as its last step did. */
  endWorkflow(): void {
    if (this.#span && this.#last) fail(this.#span, this.#last)
    this.end()
  }

  end(span = this.#span, at?: number): void {
    running.delete(this.#id)
    forget(this)
    span?.end(at)
  }

  abandon(): void {
    this.#giveUp('abandoned')
  }

  cutShort(): void {
    this.#giveUp('unfinished')
  }

  #giveUp(outcome: Outcome): void {
    const span = this.#span
    if (span && this.#failure) fail(span, this.#failure)
    else span?.setAttributes(outcomeAttributes(outcome))
    this.end(span, this.#lastSign)
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

function beginStep(id: unknown, above: Running | undefined, data: Fields): void {
  const active = plainContext()
  const parent = above ? contextBelow(above, active) : withSessionOf(currentTrace(), active)
  const model = MODEL_STEPS.has(data.type)
  const bare = model || SILENT_STEPS.has(data.type)
  keep(id, active, bare ? { context: parent } : startSpan(stepOf(data), parent), model)
}

function contextBelow(above: Running, active: Context): Context {
  return above.below === active ? above.context : active
}

/** The group of a trace is what the service calls a session. */
function withSessionOf(trace: unknown, context: Context): Context {
  const session = nameOf(fieldsOf(trace).groupId)
  return session ? withPropagatedAttributes(context, { [ATTRIBUTE.TRACE_SESSION_ID]: session }) : context
}

function keep(id: unknown, below: Context, made: Made, model = false): Running | undefined {
  if (typeof id !== 'string') return undefined
  const step = new Running(id, below, made, model)
  running.set(id, step)
  for (const oldest of running.values()) {
    if (running.size <= LIMIT) break
    oldest.abandon()
  }
  return step
}

function runningOf(id: unknown): Running | undefined {
  return typeof id === 'string' ? running.get(id) : undefined
}

function startSpan({ name, kind, attributes }: Step, parent: Context, startTime?: number) {
  const options = { attributes, ...(kind === undefined ? {} : { kind }) }
  const span = tracerOf(SCOPE).startSpan(name, { ...options, ...(startTime ? { startTime } : {}) }, parent)
  return { span, context: trace.setSpan(parent, span) }
}
