import type { InstrumentationScope } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import type { SpanLimits, SpanProcessor } from '@opentelemetry/sdk-trace'

/** The values that all spans of a tracer share. */
export interface SpanOrigin {
  readonly resource: Resource
  readonly scope: InstrumentationScope
  readonly limits: Required<SpanLimits>
  readonly processors: readonly SpanProcessor[]
}
