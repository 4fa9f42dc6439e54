import { type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { createObservationAttributes } from '@svc/tracing'
import { messageIn } from '@svc/tracing/adapters'
import { isControlFlow } from './control-flow.ts'

// On globalThis: bundlers make a copy of this module for each of Next's layers.
const SLOT = Symbol.for('svc.next-errors.6')
const slots = globalThis as unknown as Record<symbol, WeakSet<object> | undefined>

/** Remembers that an observation has told of this error. */
export function noteError(error: unknown): void {
  slots[SLOT] ??= new WeakSet()
  if (typeof error === 'object' && error !== null) slots[SLOT].add(error)
}

/** What Next tells about a failed request, as far as it is recorded. */
export interface ErrorContext {
  readonly routerKind?: string
  readonly routePath?: string
  readonly routeType?: string
  readonly renderSource?: string
}

/**
 * Next's hook for errors that it caught, for `instrumentation.ts`: puts the error on the root of the request, if that is
 * recorded and no observation has told of the error already. Redirects and the like are no errors. Never throws.
 *
 * @example
 * export { onRequestError } from '@svc/next'
 */
export function onRequestError(error: unknown, _request: unknown, context: ErrorContext): void {
  attempt('record a failed request', () => {
    if (isControlFlow(error) || (typeof error === 'object' && error !== null && slots[SLOT]?.has(error))) return
    const span = rootSpan()
    if (!span?.isRecording()) return
    noteError(error)
    const { routerKind, routePath, routeType, renderSource } = context ?? {}
    const message = messageIn(error) ?? 'Unknown error'
    span.recordException(error as Error)
    span.setStatus({ code: SpanStatusCode.ERROR, message })
    span.setAttributes(
      createObservationAttributes('span', {
        level: 'ERROR',
        statusMessage: message,
        metadata: { routerKind, routePath, routeType, renderSource },
      }),
    )
  })
}

/** The span of the whole request: Next's own where it is recorded, else the one that SVC_HTTP_ROOT makes. */
function rootSpan(): Span | undefined {
  const active = trace.getActiveSpan() as (Span & { request?: { open?(): Span | undefined } }) | undefined
  return active?.isRecording() ? active : active?.request?.open?.()
}
