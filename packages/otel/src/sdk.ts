import type {
  Span as ApiSpan,
  Attributes,
  Context,
  HrTime,
  Link,
  SpanContext,
  SpanKind,
  SpanStatus,
} from '@opentelemetry/api'

/*
 * What this package expects of OpenTelemetry's SDK, by shape. The SDK's own types would tie it to one major version:
 * its processor works beside 2.x (`@opentelemetry/sdk-trace-base`) and 3.x (`@opentelemetry/sdk-trace`) alike, and
 * `test/packed/beside.all.test.ts` compiles and runs it beside both.
 */

/** A readable span: `ReadableSpan` of OpenTelemetry's SDK, 2.x and 3.x. */
export interface ReadableSpan {
  readonly name: string
  readonly kind: SpanKind
  readonly spanContext: () => SpanContext
  readonly parentSpanContext?: SpanContext
  readonly startTime: HrTime
  readonly endTime: HrTime
  readonly status: SpanStatus
  readonly attributes: Attributes
  readonly links: Link[]
  readonly events: TimedEvent[]
  readonly duration: HrTime
  readonly ended: boolean
  readonly resource: Resource
  readonly instrumentationScope: InstrumentationScope
  readonly droppedAttributesCount: number
  readonly droppedEventsCount: number
  readonly droppedLinksCount: number
}

/** A span that can still be written: `Span` of OpenTelemetry's SDK. */
export type Span = ApiSpan & ReadableSpan

/** Something that happened during a span: `TimedEvent` of OpenTelemetry's SDK. */
export interface TimedEvent {
  time: HrTime
  name: string
  attributes?: Attributes
  droppedAttributesCount?: number
}

/** The scope of a span: `InstrumentationScope` of `@opentelemetry/core`. */
export interface InstrumentationScope {
  readonly name: string
  readonly version?: string
  readonly schemaUrl?: string
}

/** The resource of a span: `Resource` of `@opentelemetry/resources`. */
export interface Resource {
  readonly asyncAttributesPending?: boolean
  readonly attributes: Attributes
  readonly schemaUrl?: string
  waitForAsyncAttributes?(): Promise<void>
  merge(other: Resource | null): Resource
  // biome-ignore lint/suspicious/noExplicitAny: it differs between 2.x and 3.x, and is not used here
  getRawAttributes(): any[]
}

/** An exporter: `SpanExporter` of OpenTelemetry's SDK, 2.x and 3.x. */
export interface SpanExporter {
  /** Exports spans, and calls back with the result. */
  export(spans: ReadableSpan[], resultCallback: (result: ExportResult) => void): void
  shutdown(): Promise<void>
  forceFlush?(): Promise<void>
}

/** The result of an export: `ExportResult` of `@opentelemetry/core`. */
export interface ExportResult {
  /** 0 if the spans were exported. */
  code: number
  error?: Error
}

/** A span processor: `SpanProcessor` of OpenTelemetry's SDK, 2.x and 3.x. */
export interface SpanProcessor {
  onStart(span: Span, parentContext: Context): void
  onEnding?(span: Span): void
  onEnd(span: ReadableSpan): void
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}
