import type { Environment } from '@svc/core/environment'
import type { Options } from '@svc/core/setting'
import type { exportSettings } from '@svc/core/settings'
import type { ExportMode } from './export/endpoint-export.ts'
import type { ShouldExportSpan } from './filter.ts'
import type { MaskFunction } from './mask.ts'
import type { ReadableSpan, SpanExporter } from './sdk.ts'

/**
 * Options of {@link SvcSpanProcessor}: everything in `exportSettings` of `@svc/core/settings` (keys, URL, batching,
 * compression, …), and what a variable cannot say. An option beats its variable, the variable beats the default.
 */
export interface SvcSpanProcessorParams extends Options<typeof exportSettings> {
  /**
   * Your own exporter instead of the way to the service. URL, keys, headers, compression, timeout and media are then
   * your business.
   */
  exporter?: SpanExporter | undefined
  /** `batched` (default) or `immediate`: one export a span, at once, for runtimes that freeze after the answer. */
  exportMode?: ExportMode | undefined
  /** Rewrites input, output and metadata values before they leave. Other processors see the original. */
  mask?: MaskFunction | undefined
  /** Replaces the default filter. Compose with `isDefaultExportSpan` or `allowScopes`. */
  shouldExportSpan?: ShouldExportSpan | undefined
  /** Where variables are looked up. Default: the environment of the process. */
  env?: Environment | undefined
  /** @internal Told of every span that is handed to delivery, as it is delivered. */
  onDelivered?: ((span: ReadableSpan) => void) | undefined
}
