import { isSpanContextValid, type Span, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { warnOnce } from '@svc/core/log'
import { type AttributesOf, kindOf, type ObservationKind } from './kinds.ts'
import { markPublic } from './observation.ts'
import { typeAttribute, writeObservation } from './write.ts'

/**
 * Writes fields on the active span, whoever started it. Never throws; where no span is active it says so once and does
 * nothing.
 *
 * @param options `asType` makes the span an observation of that kind; without it, its type stays what it is
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

/** Lets everyone with the link see the active trace. Never throws; where no span is active it says so once. */
export function setActiveTraceAsPublic(): void {
  const span = activeSpan('setActiveTraceAsPublic')
  if (span) markPublic(span)
}

function activeSpan(asker: string): Span | undefined {
  const span = trace.getActiveSpan()
  // A span without an id stands for an HTTP request or for a tracer that records nothing.
  if (span && isSpanContextValid(span.spanContext())) return span
  warnOnce(`${asker} does nothing, because no span is active: call it inside startActiveObservation or observe.`)
  return undefined
}
