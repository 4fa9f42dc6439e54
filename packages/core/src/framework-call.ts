import { type Context, type Span, trace } from '@opentelemetry/api'
import { builtin } from './builtin.ts'
import { withSpan } from './flat-context.ts'
import * as SLOTS from './slots.ts'

/** A call of a model that a framework has started a span for. */
interface FrameworkCall {
  /** Undefined once a client's call was placed in it: a flow may last longer than its calls. */
  span: Span | undefined
  /** The active span at that time. */
  active: Span | undefined
}

interface Storage {
  enterWith(call: FrameworkCall): void
  getStore(): FrameworkCall | undefined
}

const slots = globalThis as unknown as Record<symbol, Storage | undefined>
const SLOT = Symbol.for(SLOTS.FRAMEWORK_CALL)

/**
 * Remembers the span of a model call for what follows in the same asynchronous flow. Some frameworks never make their span
 * the active one, as generators cannot, and then ask a client for the answer.
 */
export function frameworkCallStarted(span: Span, active: Span | undefined): void {
  const hooks = builtin('node:async_hooks')
  if (hooks) slots[SLOT] ??= new hooks.AsyncLocalStorage<FrameworkCall>()
  slots[SLOT]?.enterWith({ span, active })
}

/**
 * Returns the context for a client's call of a model: within the open call of a framework if that is the last thing that
 * was started, else `context` itself. A framework's call holds one of a client.
 */
export function withinFrameworkCall(context: Context): Context {
  const call = slots[SLOT]?.getStore()
  const { span, active } = call ?? {}
  if (!call || !span?.isRecording() || trace.getSpan(context) !== active) return context
  call.span = undefined
  call.active = undefined
  return withSpan(context, span)
}
