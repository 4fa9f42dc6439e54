import type { Environment } from '@svc/core/environment'
import type { Options } from '@svc/core/setting'
import type { exportSettings } from '@svc/core/settings'
import type { ExportMode } from './export/endpoint-export.ts'
import type { ShouldExportSpan } from './filter.ts'
import type { MaskFunction } from './mask.ts'
import type { ReadableSpan, SpanExporter } from './sdk.ts'

/**
 * Options of {@link SvcSpanProcessor}: everything in `exportSettings` of `@svc/core/settings` (keys, URL, batching,
 * compression, …), and options that a variable cannot express. An option wins over its variable, and the variable over
 * the default.
 */
export interface SvcSpanProcessorParams extends Options<typeof exportSettings> {
  /**
   * A custom exporter in place of the export to the service. It is then responsible for URL, keys, headers,
   * compression, timeout and media.
   */
  exporter?: SpanExporter | undefined
  /** `batched` (default) or `immediate`: each span is exported at once, for runtimes that freeze after the response. */
  exportMode?: ExportMode | undefined
  /** Rewrites input, output and metadata values before they are sent. Other processors see the original. */
  mask?: MaskFunction | undefined
  /**
   * Patterns of your own that `redact` hides as well, by the word for their marks: `{ order: /\bORD-\d{8}\b/ }`. Text of
   * any length meets them: write them without nested repetitions.
   */
  redactPatterns?: Readonly<Record<string, RegExp>> | undefined
  /** Replaces the default filter. Compose with `isDefaultExportSpan` or `allowScopes`. */
  shouldExportSpan?: ShouldExportSpan | undefined
  /** Where variables are looked up. Default: the environment of the process. */
  env?: Environment | undefined
  /**
   * @internal Called with every span that is passed to delivery, in its delivered form; and with those that `keep` holds or
   * leaves out.
   */
  onDelivered?: ((span: ReadableSpan) => void) | undefined
  /** @internal Runs what is done with an ended span outside of the code that ended it. Default: inside */
  outside?: ((work: () => void) => void) | undefined
}
