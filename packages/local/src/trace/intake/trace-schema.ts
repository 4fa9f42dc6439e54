import type { WireSchema } from './wire.ts'

/** The messages of an OTLP trace export, by field number (opentelemetry-proto, `trace/v1` and `common/v1`). */
export const EXPORT_TRACE_REQUEST: WireSchema = {
  1: { name: 'resourceSpans', type: () => RESOURCE_SPANS, repeated: true },
}

const RESOURCE_SPANS: WireSchema = {
  1: { name: 'resource', type: () => RESOURCE },
  2: { name: 'scopeSpans', type: () => SCOPE_SPANS, repeated: true },
  3: { name: 'schemaUrl', type: 'string' },
}

const RESOURCE: WireSchema = {
  1: { name: 'attributes', type: () => KEY_VALUE, repeated: true },
  2: { name: 'droppedAttributesCount', type: 'uint32' },
}

const SCOPE_SPANS: WireSchema = {
  1: { name: 'scope', type: () => SCOPE },
  2: { name: 'spans', type: () => SPAN, repeated: true },
  3: { name: 'schemaUrl', type: 'string' },
}

const SCOPE: WireSchema = {
  1: { name: 'name', type: 'string' },
  2: { name: 'version', type: 'string' },
  3: { name: 'attributes', type: () => KEY_VALUE, repeated: true },
  4: { name: 'droppedAttributesCount', type: 'uint32' },
}

const SPAN: WireSchema = {
  1: { name: 'traceId', type: 'hex' },
  2: { name: 'spanId', type: 'hex' },
  3: { name: 'traceState', type: 'string' },
  4: { name: 'parentSpanId', type: 'hex' },
  5: { name: 'name', type: 'string' },
  6: { name: 'kind', type: 'uint32' },
  7: { name: 'startTimeUnixNano', type: 'fixed64' },
  8: { name: 'endTimeUnixNano', type: 'fixed64' },
  9: { name: 'attributes', type: () => KEY_VALUE, repeated: true },
  10: { name: 'droppedAttributesCount', type: 'uint32' },
  11: { name: 'events', type: () => EVENT, repeated: true },
  12: { name: 'droppedEventsCount', type: 'uint32' },
  13: { name: 'links', type: () => LINK, repeated: true },
  14: { name: 'droppedLinksCount', type: 'uint32' },
  15: { name: 'status', type: () => STATUS },
  16: { name: 'flags', type: 'fixed32' },
}

const EVENT: WireSchema = {
  1: { name: 'timeUnixNano', type: 'fixed64' },
  2: { name: 'name', type: 'string' },
  3: { name: 'attributes', type: () => KEY_VALUE, repeated: true },
  4: { name: 'droppedAttributesCount', type: 'uint32' },
}

const LINK: WireSchema = {
  1: { name: 'traceId', type: 'hex' },
  2: { name: 'spanId', type: 'hex' },
  3: { name: 'traceState', type: 'string' },
  4: { name: 'attributes', type: () => KEY_VALUE, repeated: true },
  5: { name: 'droppedAttributesCount', type: 'uint32' },
  6: { name: 'flags', type: 'fixed32' },
}

const STATUS: WireSchema = {
  2: { name: 'message', type: 'string' },
  3: { name: 'code', type: 'uint32' },
}

const KEY_VALUE: WireSchema = {
  1: { name: 'key', type: 'string' },
  2: { name: 'value', type: () => ANY_VALUE },
}

const ANY_VALUE: WireSchema = {
  1: { name: 'stringValue', type: 'string' },
  2: { name: 'boolValue', type: 'bool' },
  3: { name: 'intValue', type: 'int64' },
  4: { name: 'doubleValue', type: 'double' },
  5: { name: 'arrayValue', type: () => ({ 1: { name: 'values', type: () => ANY_VALUE, repeated: true } }) },
  6: { name: 'kvlistValue', type: () => ({ 1: { name: 'values', type: () => KEY_VALUE, repeated: true } }) },
  7: { name: 'bytesValue', type: 'base64' },
}
