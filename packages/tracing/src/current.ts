import type { Span } from '@opentelemetry/api'
import { isSpanContextValid, trace } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import { warnOnce } from '@svc/core/log'
import { type AttributesOf, kindOf, type ObservationKind, typeAttribute } from './kinds.ts'
import { markPublic } from './public-trace.ts'
import { writeObservation } from './write.ts'

/**
 * Writes fields on the active span, also if another library started it. Never throws; if no span is active, it warns
 * once and does nothing.
 *
 * @param options `asType` makes the span an observation of that kind; by default its type is not changed
 * @example
 * updateActiveObservation({ output: answer, metadata: { cached: true } })
 */
export function updateActiveObservation<K extends ObservationKind = 'generation'>(
  attributes: AttributesOf<K>,
  options?: { readonly asType?: K | undefined },
): void {
  const span = activeSpan('updateActiveObservation')
  if (!span) return
  const kind = options?.asType && kindOf(options.asType)
  if (kind) attempt('write a type', () => span.isRecording() && span.setAttributes(typeAttribute(kind)))
  writeObservation(span, kind, attributes)
}

/** Makes the active trace visible to everyone who has its link. Never throws; if no span is active, it warns once. */
export function setActiveTraceAsPublic(): void {
  const span = activeSpan('setActiveTraceAsPublic')
  if (span) markPublic(span)
}

function activeSpan(asker: string): Span | undefined {
  const span = trace.getActiveSpan()
  // A span without an id marks an HTTP request or belongs to a tracer that records nothing.
  if (span && isSpanContextValid(span.spanContext())) return span
  warnOnce(`${asker} does nothing, because no span is active: call it inside startActiveObservation or observe.`)
  return undefined
}
