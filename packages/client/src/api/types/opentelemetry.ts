/** Spans of one resource, in the JSON encoding of OTLP. */
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

/** Empty: the service accepted the spans. */
export type OtelTraceResponse = Record<string, never>

export interface ExportTracesRequest {
  resourceSpans: readonly OtelResourceSpan[]
}
