/** Spans of one resource, as OTLP has them in JSON. */
export interface OtelResourceSpan {
  resource?: OtelResource
  scopeSpans?: OtelScopeSpan[]
}

export interface OtelResource {
  attributes?: OtelAttribute[]
}

export interface OtelScopeSpan {
  scope?: OtelScope
  spans?: OtelSpan[]
}

export interface OtelScope {
  name?: string
  version?: string
  attributes?: OtelAttribute[]
}

export interface OtelSpan {
  traceId?: unknown
  spanId?: unknown
  parentSpanId?: unknown
  name?: string
  kind?: number
  startTimeUnixNano?: unknown
  endTimeUnixNano?: unknown
  attributes?: OtelAttribute[]
  status?: unknown
}

export interface OtelAttribute {
  key?: string
  value?: OtelAttributeValue
}

export interface OtelAttributeValue {
  stringValue?: string
  intValue?: number
  doubleValue?: number
  boolValue?: boolean
}

/** Nothing: the intake has taken the spans. */
export type OtelTraceResponse = Record<string, never>

export interface ExportTracesRequest {
  resourceSpans: readonly OtelResourceSpan[]
}
