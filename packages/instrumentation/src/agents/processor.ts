import { type Context, type Link, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE } from '@svc/core/attributes'
import { withPropagatedAttributes } from '@svc/core/context'
import { asName, asRecord, type Fields, isObject } from '../gen-ai/read.ts'
import { activeWithoutLibrary } from './library-context.ts'
import { addStep, getStep, type OpenStep, startSpan } from './open-step.ts'
import { describeStep, describeWorkflow, IGNORED_STEPS, MODEL_STEPS, runId, type StepDescription } from './steps.ts'

/** Returns the library's current trace. A run that waited for an approval continues in its trace, which has ended. */
let currentTrace = (): unknown => undefined

/** @param read returns the library's current trace */
export function setTraceReader(read: () => unknown): void {
  currentTrace = read
}

/** The workflows by the library's traces. */
const workflows = new WeakMap<object, OpenStep>()

/**
 * The trace processor for the Agents SDK, which creates a span for each step. The library awaits these methods before
 * it calls the next processor.
 */
export const processor = {
  onTraceStart(started: unknown): void {
    attempt('begin the trace of a run', () => {
      const { traceId, name, metadata } = asRecord(started)
      const parent = activeWithoutLibrary()
      const startedSpan = startSpan(describeWorkflow({ name, metadata, traceId }), withSession(started, parent))
      const workflow = addStep(traceId, { type: 'workflow', activeContext: parent, started: startedSpan })
      if (!workflow || !isObject(started)) return
      workflows.set(started, workflow)
      // The library does not end the trace of a failed run, and its steps do not tell of every failure.
      workflow.endWithReader(started)
    })
  },
  onTraceEnd(ended: unknown): void {
    attempt('end the trace of a run', () => getStep(asRecord(ended).traceId)?.endWorkflow())
  },
  onSpanStart(started: unknown): void {
    attempt('begin a step of a run', () => {
      const { spanId, parentId, traceId, spanData } = asRecord(started)
      getStep(traceId)?.childStarted(asRecord(spanData))
      startStep(spanId, getStep(parentId) ?? getStep(traceId), asRecord(spanData))
    })
  },
  onSpanEnd(ended: unknown): void {
    attempt('end a step of a run', () => {
      const { spanId, traceId, spanData, error } = asRecord(ended)
      getStep(spanId)?.end(asRecord(spanData), error)
      getStep(traceId)?.childEnded(asRecord(spanData), error)
    })
  },
  async shutdown(): Promise<void> {},
  async forceFlush(): Promise<void> {},
}

/** Returns the context of a step, unless the application has entered another one since it started. */
export function contextOfStep(id: unknown, active: Context): Context | undefined {
  const step = getStep(id)
  return step?.activeContext === active ? step.context : undefined
}

function startStep(id: unknown, parent: OpenStep | undefined, data: Fields): void {
  const active = activeWithoutLibrary()
  const above = parent ?? givenUp(currentTrace())
  const parentContext = above ? contextForChild(above, active) : withSession(currentTrace(), active)
  const hasNoSpan = MODEL_STEPS.has(data.type) || IGNORED_STEPS.has(data.type)
  const started = hasNoSpan
    ? { context: parentContext }
    : startSpan(above ? describeStep(data) : resumed(describeStep(data)), parentContext)
  addStep(id, { type: data.type, activeContext: active, parent, started })
}

/** What goes on in a trace that has ended was resumed: by the answer that its run waited for, maybe elsewhere. */
function resumed({ attributes, ...step }: StepDescription): StepDescription {
  const current = currentTrace()
  return { ...step, attributes: { ...attributes, ...runId(asRecord(current).traceId) }, links: linksOf(current) }
}

function linksOf(ended: unknown): Link[] {
  const workflow = isObject(ended) ? workflows.get(ended) : undefined
  const paused = workflow && trace.getSpanContext(workflow.context)
  return paused ? [{ context: paused }] : []
}

/** Steps that follow long after a failed one are below its workflow, too. */
function givenUp(ended: unknown): OpenStep | undefined {
  const workflow = isObject(ended) ? workflows.get(ended) : undefined
  return workflow?.isGivenUp ? workflow : undefined
}

function contextForChild(parent: OpenStep, active: Context): Context {
  return parent.activeContext === active ? parent.context : active
}

/** The service's session is the library's trace group. */
function withSession(current: unknown, context: Context): Context {
  const session = asName(asRecord(current).groupId)
  return session ? withPropagatedAttributes(context, { [ATTRIBUTE.TRACE_SESSION_ID]: session }) : context
}
