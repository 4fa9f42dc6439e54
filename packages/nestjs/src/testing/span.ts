import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'

/** A span that ended, as tests like to read it. */
export interface SvcTestSpan {
  readonly name: string
  /** Id of the span and of the observation: 16 hex digits. */
  readonly id: string
  /** Id of the span above it, in this process or another one. */
  readonly parentId: string | undefined
  readonly traceId: string
  /** The type of the observation: `span`, `agent`, `generation`, … */
  readonly type: string | undefined
  readonly userId: string | undefined
  readonly sessionId: string | undefined
  readonly tags: readonly string[]
  readonly level: string | undefined
  readonly statusMessage: string | undefined
  /** A text, or the JSON text of anything else. */
  readonly input: string | undefined
  /** Written like `input`. */
  readonly output: string | undefined
  /** Everything that it carries, by the names of the wire. */
  readonly attributes: Attributes
}

/** The part that we read of a span of OpenTelemetry's SDK. */
export interface EndedSpan {
  readonly name: string
  readonly attributes: Attributes
  readonly parentSpanContext?: { readonly spanId: string } | undefined
  spanContext(): { readonly traceId: string; readonly spanId: string }
}

export function testSpan(span: EndedSpan): SvcTestSpan {
  const { name, attributes, parentSpanContext } = span
  const { traceId, spanId } = span.spanContext()
  const text = (key: string) => attributes[key] as string | undefined
  return {
    name,
    id: spanId,
    parentId: parentSpanContext?.spanId,
    traceId,
    type: text(ATTRIBUTE.OBSERVATION_TYPE),
    userId: text(ATTRIBUTE.TRACE_USER_ID),
    sessionId: text(ATTRIBUTE.TRACE_SESSION_ID),
    tags: (attributes[ATTRIBUTE.TRACE_TAGS] as string[] | undefined) ?? [],
    level: text(ATTRIBUTE.OBSERVATION_LEVEL),
    statusMessage: text(ATTRIBUTE.OBSERVATION_STATUS_MESSAGE),
    input: text(ATTRIBUTE.OBSERVATION_INPUT),
    output: text(ATTRIBUTE.OBSERVATION_OUTPUT),
    attributes,
  }
}
