import { type Context, context as contextApi, createContextKey, type Span, trace } from '@opentelemetry/api'
import { propagatesToVendors } from '../gen-ai/configure.ts'
import type { Call } from './call.ts'
import { isSuppressed } from './suppress.ts'

export const callKey = createContextKey('svc.llm.call')

const VENDOR = createContextKey('svc.llm.vendor')

/** A context whose requests go to the vendor of a model, where nobody here records the call. */
export function towardsVendor(context: Context): Context {
  return context.setValue(VENDOR, () => true)
}

/** Does work in `context` that tells the vendor of a model something. What goes on in it afterwards does not. */
export function whileTellingVendor<T>(context: Context, work: () => T): T {
  let telling = true
  try {
    return contextApi.with(
      context.setValue(VENDOR, () => telling),
      work,
    )
  } finally {
    telling = false
  }
}

/** Whether what runs in `context` is a request to the vendor of a model, to whom traces and users are not told. */
export function isVendorBound(context: Context): boolean {
  const tells = context.getValue(VENDOR)
  return (isRecorded(context) || (typeof tells === 'function' && tells() === true)) && !propagatesToVendors()
}

/** Whether what runs in `context` belongs to a call of a model that is recorded: nobody else needs to. */
export function isRecorded(context: Context): boolean {
  // Where a framework records a call, its client's request has no call of its own.
  return context.getValue(callKey) !== undefined || isSuppressed(context, 'chat')
}

/** The call whose request runs in `context`. */
export function callOf(context: Context): Call | undefined {
  return context.getValue(callKey) as Call | undefined
}

const TOOL = createContextKey('svc.llm.tool')

/** Marks `span` as a tool call that has no tool name among its attributes: the span is named after the tool. */
export function withToolSpan(context: Context, span: Span): Context {
  return context.setValue(TOOL, span)
}

/** Whether the active span was marked by {@link withToolSpan}. */
export function isInToolSpan(context: Context): boolean {
  const span = context.getValue(TOOL)
  return span !== undefined && span === trace.getSpan(context)
}
