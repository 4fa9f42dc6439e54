import { type Context, context as contextApi, createContextKey, type Span, trace } from '@opentelemetry/api'
import { propagatesToVendors } from '../gen-ai/configure.ts'
import type { CallSpan } from './call.ts'
import { isSuppressed } from './suppress.ts'

export const callKey = createContextKey('svc.llm.call')

const VENDOR_BOUND = createContextKey('svc.llm.vendor')

/** Marks a context whose requests go to a model vendor although no call is recorded here. */
export function withVendorBound(context: Context): Context {
  return context.setValue(VENDOR_BOUND, () => true)
}

/**
 * Calls `work` in a context that is bound for a model vendor until `work` returns. Asynchronous work that it started is
 * not.
 */
export function runVendorBound<T>(context: Context, work: () => T): T {
  let isRunning = true
  try {
    return contextApi.with(
      context.setValue(VENDOR_BOUND, () => isRunning),
      work,
    )
  } finally {
    isRunning = false
  }
}

/**
 * Returns whether requests in `context` go to a model vendor, to which trace context and baggage are not propagated.
 */
export function isVendorBound(context: Context): boolean {
  const isBound = context.getValue(VENDOR_BOUND)
  return (isRecorded(context) || (typeof isBound === 'function' && isBound() === true)) && !propagatesToVendors()
}

/** Returns whether `context` belongs to a model call that is recorded already. */
export function isRecorded(context: Context): boolean {
  // If a framework records a call, the client's request has no span of its own.
  return context.getValue(callKey) !== undefined || isSuppressed(context, 'chat')
}

/** Returns whether a recorded call runs in `context`: requests are part of it. */
export function isInCall(context: Context): boolean {
  return getCall(context)?.ended === false
}

/**
 * Returns whether a request in `context` is part of something that is recorded: of a call that still runs, or of what a
 * framework or the library itself records.
 *
 * @param operation of the request: `gen_ai.operation.name`
 */
export function isBelowCall(context: Context, operation: string): boolean {
  const call = getCall(context)
  if (call) return !call.ended
  const isBound = context.getValue(VENDOR_BOUND)
  return isSuppressed(context, operation) || (typeof isBound === 'function' && isBound() === true)
}

/** Returns the call whose request runs in `context`. */
export function getCall(context: Context): CallSpan | undefined {
  return context.getValue(callKey) as CallSpan | undefined
}

const TOOL = createContextKey('svc.llm.tool')

/** Marks `span` as a tool call without a tool name attribute: the span's name is the tool's. */
export function withToolSpan(context: Context, span: Span): Context {
  return context.setValue(TOOL, span)
}

/** Returns whether the active span was marked by {@link withToolSpan}. */
export function isInToolSpan(context: Context): boolean {
  const span = context.getValue(TOOL)
  return span !== undefined && span === trace.getSpan(context)
}
