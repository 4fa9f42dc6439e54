import type { Bytes } from '@svc/core/bytes'
import type { Compression } from '../compression.ts'
import type { InstrumentationScope, ReadableSpan, Resource } from '../sdk.ts'
import type { OtlpResponse } from './otlp/response.ts'

/** Collects the spans of one request in the order in which they end. */
export interface SpanBatch {
  readonly spans: number
  /** Bytes of the spans, without resources and scopes. */
  readonly size: number
  readonly resources: Iterable<Resource>
  /** @param span as {@link Encoding.span} returns it */
  append(resource: Resource, scope: InstrumentationScope, span: Uint8Array): void
  /**
   * Returns all spans as an OTLP `ExportTraceServiceRequest`, and empties the batch.
   *
   * @param buffer a free buffer to write it into. Default: a new one
   */
  seal(buffer?: ArrayBuffer): Bytes
  /** Returns the spans that were appended since the batch had `size` bytes, as a request. The batch keeps them. */
  since(size: number, buffer?: ArrayBuffer): Bytes
}

/** A request with some spans of another one. */
export interface RequestPart {
  readonly body: Bytes
  readonly spans: number
}

/** How OTLP is written. */
export interface Encoding {
  readonly contentType: string
  /** @returns the bytes of a span, valid until the next one is written; undefined when it cannot be written */
  span(span: ReadableSpan): Uint8Array | undefined
  batch(): SpanBatch
  /** Halves a request by its spans. */
  halves(request: Uint8Array): readonly RequestPart[]
  /** Undefined where requests are never compressed. */
  readonly gzip?: Gzip
  /** Reads a response that is protobuf. Without it no such response is understood. */
  readResponse?(body: Uint8Array): OtlpResponse
}

/** What cannot be done is undefined: then a batch is sent as it is. */
export interface Gzip {
  compress(body: Bytes, how: Compression): Promise<Bytes | undefined>
  compressNow(body: Bytes): Bytes | undefined
  decompress(body: Uint8Array): Bytes | undefined
}
