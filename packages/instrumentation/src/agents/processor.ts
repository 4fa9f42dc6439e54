import type { Context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE } from '@svc/core/attributes'
import { withPropagatedAttributes } from '@svc/core/context'
import { asName, asRecord, type Fields, isObject } from '../gen-ai/read.ts'
import { plainContext } from './ambient.ts'
import { keep, type Running, runningOf, startSpan } from './running.ts'
import { MODEL_STEPS, SILENT_STEPS, stepOf, workflowOf } from './steps.ts'

/** A run that waited for an approval goes on in its trace, which has ended. */
let currentTrace = (): unknown => undefined

/** @param read gives the trace that the library is in */
export function findTraceBy(read: () => unknown): void {
  currentTrace = read
}

/**
 * The trace processor of the Agents SDK that makes a span of each step. The library awaits what these methods return
 * before it tells the next processor.
 */
export const processor = {
  onTraceStart(started: unknown): void {
    attempt('begin the trace of a run', () => {
      const { traceId, name, metadata } = asRecord(started)
      const above = plainContext()
      const made = startSpan(workflowOf({ name, metadata }), withSessionOf(started, above))
      const workflow = keep(traceId, { type: 'workflow', below: above, made })
      // The library does not end the trace of a run that fails.
      if (isObject(started)) workflow?.endWithReader(started)
    })
  },
  onTraceEnd(ended: unknown): void {
    attempt('end the trace of a run', () => runningOf(asRecord(ended).traceId)?.endWorkflow())
  },
  onSpanStart(started: unknown): void {
    attempt('begin a step of a run', () => {
      const { spanId, parentId, traceId, spanData } = asRecord(started)
      runningOf(traceId)?.expect()
      beginStep(spanId, runningOf(parentId) ?? runningOf(traceId), asRecord(spanData))
    })
  },
  onSpanEnd(ended: unknown): void {
    attempt('end a step of a run', () => {
      const { spanId, traceId, spanData, error } = asRecord(ended)
      runningOf(spanId)?.end(asRecord(spanData), error)
      runningOf(traceId)?.childEnded(error)
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

function beginStep(id: unknown, above: Running | undefined, data: Fields): void {
  const active = plainContext()
  const parent = above ? contextBelow(above, active) : withSessionOf(currentTrace(), active)
  const bare = MODEL_STEPS.has(data.type) || SILENT_STEPS.has(data.type)
  const made = bare ? { context: parent } : startSpan(stepOf(data), parent)
  keep(id, { type: data.type, below: active, above, made })
}

function contextBelow(above: Running, active: Context): Context {
  return above.below === active ? above.context : active
}

/** The group of a trace is what the service calls a session. */
function withSessionOf(trace: unknown, context: Context): Context {
  const session = asName(asRecord(trace).groupId)
  return session ? withPropagatedAttributes(context, { [ATTRIBUTE.TRACE_SESSION_ID]: session }) : context
}
