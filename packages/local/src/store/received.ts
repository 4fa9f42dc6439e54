/**
 * The value of a decoded attribute. Bytes are base64; 64-bit integers beyond 2^53 are decimal text, or, while a span is
 * mapped, numbers with a text of their own.
 */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value }

export type Attributes = Readonly<Record<string, Value>>

export interface ReceivedEvent {
  readonly name: string
  /** Nanoseconds since 1970, decimal. */
  readonly timeUnixNano: string
  readonly attributes: Attributes
}

export interface ReceivedLink {
  readonly traceId: string
  readonly spanId: string
  readonly attributes: Attributes
}

/**
 * An export request of one span, as it came: JSON text, or protobuf. In files of before it was kept so, a
 * {@link ReceivedSpan} as JSON.
 */
export type StoredOtlp = string | Uint8Array

/** One span as it arrived, whatever its encoding was. Ids are lower-case hex. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly traceState: string
  readonly flags: number
  readonly name: string
  /** OTLP's number: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number
  /** Nanoseconds since 1970, decimal; `0` when the sender left it out. */
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Attributes
  readonly droppedAttributesCount: number
  readonly events: readonly ReceivedEvent[]
  readonly links: readonly ReceivedLink[]
  /** Code 0 unset, 1 ok, 2 error. */
  readonly status: { readonly code: number; readonly message: string }
  readonly resource: { readonly attributes: Attributes }
  readonly scope: { readonly name: string; readonly version: string; readonly attributes: Attributes }
}
