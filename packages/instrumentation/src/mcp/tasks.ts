import { type Context, context, trace } from '@opentelemetry/api'
import { asName, asRecord, type Fields } from '../gen-ai/read.ts'
import { type Job, type JobReader, spanOfJob, updateJob } from '../jobs/job.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import { readTaskState } from './methods.ts'

// A tool may answer with a task, for which its client asks until it has a result: the tool is called as long as that.
// Core has tasks in the revision of 2025-11-25 only; later they are an extension (SEP-2663), whose states hold the result.

export const TASKS: JobReader = { readJob: readTask, readResponse: readTaskState }

function readTask({ taskId, status, ...rest }: Fields): Job | undefined {
  const id = asName(taskId)
  if (id === undefined) return undefined
  const isCancelled = status === 'cancelled'
  // What is completed says so, and has a result of its own, which is asked for next.
  return { id: keyOf(id), isCancelled, isOver: isCancelled || status === 'failed' || 'result' in rest }
}

const keyOf = (id: string) => `mcp ${id}`

/**
 * Sends a request about a task, as a part of the tool's call if that is in this trace; what it answers may end the call.
 */
export function askForTask(method: string, { taskId }: Fields, send: () => unknown): unknown {
  const id = asName(taskId)
  if (id === undefined) return send()
  const update = (state: Fields) => updateJob(TASKS, { taskId, ...state })
  return tapPromise(context.with(contextOf(id), send), {
    value: (answer) => update(method === 'tasks/result' ? { result: answer } : asRecord(answer)),
    error: (error) => {
      if (method === 'tasks/result' && isAnswer(error)) update({ status: 'failed', error })
    },
  })
}

/** A server may tell of a task by itself. A client asks for the result of one that says no reason for its failure. */
export function readTaskNotification({ method, params }: Fields): void {
  if (method !== 'notifications/tasks/status' && method !== 'notifications/tasks') return
  const { status, statusMessage, error } = asRecord(params)
  if (status !== 'failed' || (statusMessage ?? error) !== undefined) updateJob(TASKS, asRecord(params))
}

function contextOf(id: string): Context {
  const active = context.active()
  const tool = spanOfJob(keyOf(id))
  return tool && trace.getSpanContext(active)?.traceId === tool.traceId ? trace.setSpanContext(active, tool) : active
}

/** Whether an error is the other side's: those of the SDK itself are text from version 2 on, and before it two numbers. */
function isAnswer(error: unknown): boolean {
  const { code } = asRecord(error)
  return typeof code === 'number' && code !== -32_000 && code !== -32_001
}
