import type { Span } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import * as ATTRIBUTE from '@svc/core/attributes/service'

/** Makes the trace of a span visible to everyone who has its link. Never throws. */
export function markPublic(span: Span): void {
  attempt('make a trace public', () => {
    if (span.isRecording()) span.setAttribute(ATTRIBUTE.TRACE_PUBLIC, true)
  })
}
