import type { Attributes, Context } from '@opentelemetry/api'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { capturesContent } from '@svc/core/capture-content'
import { claimedTraceId, propagatedAttributes } from '@svc/core/context'
import type { SvcHealth } from '@svc/core/health'
import { log, messageOf } from '@svc/core/log'
import { OFF } from '@svc/core/registry'
import { within } from '@svc/core/timers'
import {
  destinationOf,
  type EdgeExportSettings,
  ExportDecision,
  enriched,
  keepingScopes,
  type MaskFunction,
  masker,
  type ReadableSpan,
  redacted,
  rootIo,
  SpanTree,
  type Step,
  type SvcSpanProcessorParams,
  withAttributes,
  withParent,
} from '@svc/otel/edge'
import type { EdgeSpan } from './edge-span.ts'
import { ExporterExport } from './exporter-export.ts'
import { FetchExport } from './fetch-export.ts'
import { withoutMedia } from './without-media.ts'

/**
 * The `SvcSpanProcessor` of edge runtimes: adds environment, release and propagated values to spans when they start;
 * filters, masks and exports them when they end. It has no exit handler, files, sockets or media upload, which these
 * runtimes lack. Never throws.
 */
export class EdgeProcessor {
  readonly #tree = new SpanTree()
  readonly #findRoot = (span: ReadableSpan) => this.#tree.root(span, this.#decision.guess)
  readonly #export: FetchExport | ExporterExport | undefined
  readonly #pendingSteps = new Set<Promise<void>>()
  readonly #settings: EdgeExportSettings
  #steps: readonly Step[] = []
  /** By what tells masks apart: their sources. */
  readonly #masks = new Map<unknown, Step>()
  readonly #decision: ExportDecision

  constructor(settings: EdgeExportSettings, params: SvcSpanProcessorParams, resource: Attributes) {
    this.#settings = settings
    const keepsScope = keepingScopes(settings.allowedScopes)
    this.#decision = new ExportDecision(settings, params.shouldExportSpan, keepsScope, (cause) => {
      if (!this.#export) return
      this.#export.ledger.ended += 1
      this.#export.ledger.drop('not_prepared', 1, cause)
    })
    this.addMask(params.mask)
    const to = destinationOf(settings, params.exporter)
    this.#export = to && ('export' in to ? new ExporterExport(to, settings) : new FetchExport(settings, to, resource))
  }

  /**
   * Adds a mask to those that are there, for open spans, too. One with the same source is there already: the bundle of
   * each function of an edge runtime has its own copy of `instrumentation.ts`.
   */
  addMask(mask: MaskFunction | undefined): void {
    const text = String(mask)
    // Every bound function has this source.
    const source = text.includes('[native code]') ? mask : text
    if (mask && !this.#masks.has(source)) this.#masks.set(source, masker(mask))
    const media = this.#settings.mediaUploadEnabled ? [withoutMedia] : []
    this.#steps = [enriched, redacted, ...this.#masks.values(), ...media]
  }

  onStart(span: EdgeSpan, parent: Context): void {
    try {
      span.setAttributes(this.#stamp(span, parent))
      const expected = this.#decision.guess(span)
      const parentExpected = this.#tree.start(span, expected)
      const claimed = claimedTraceId(parent, this.#settings)
      if (expected && !parentExpected && claimed !== span.spanContext().traceId) {
        span.setAttribute(ATTRIBUTE.IS_APP_ROOT, true)
      }
    } catch (error) {
      log.error('Environment and release could not be set on a span:', error)
    }
  }

  onEnd(span: EdgeSpan): void {
    try {
      const kept = this.#decision.decide(span)
      const shown = this.#settings.rootIo && capturesContent() && rootIo(span, kept ? this.#findRoot : undefined)
      const parent = this.#tree.end(span, kept, this.#decision.guess)
      if (!kept || !this.#export) return
      this.#export.ledger.ended += 1
      const placed = parent === span.parentSpanContext ? span : withParent(span, parent)
      this.#runSteps(shown ? withAttributes(placed, { ...span.attributes, ...shown }) : placed)
    } catch (error) {
      this.#dropFailed(error)
    }
  }

  /**
   * Waits for asynchronous masks, then flushes the export: for 30 seconds at most, as OpenTelemetry's provider does. Never
   * rejects.
   */
  forceFlush(): Promise<void> {
    const flushed = Promise.all(this.#pendingSteps).then(() => this.#export?.forceFlush())
    return within(flushed, 30_000)
  }

  health(): SvcHealth {
    const health = this.#export?.health() ?? OFF
    return { ...health, pending: health.pending + this.#pendingSteps.size }
  }

  // Propagated values win over the defaults; what the span was created with stays, and so does a prompt it names.
  #stamp({ attributes }: EdgeSpan, parent: Context): Attributes {
    const { environment, release } = this.#settings
    const defaults = { [ATTRIBUTE.ENVIRONMENT]: environment, [ATTRIBUTE.RELEASE]: release }
    const stamp: Attributes = { ...defaults, ...propagatedAttributes(parent, this.#settings) }
    if (attributes[ATTRIBUTE.OBSERVATION_PROMPT_NAME] !== undefined) {
      delete stamp[ATTRIBUTE.OBSERVATION_PROMPT_NAME]
      delete stamp[ATTRIBUTE.OBSERVATION_PROMPT_VERSION]
    }
    for (const [name, value] of Object.entries(defaults)) {
      if (attributes[name] !== undefined && stamp[name] === value) delete stamp[name]
    }
    return stamp
  }

  // Synchronous until a step returns a promise (an asynchronous mask); the rest then runs when it resolves.
  #runSteps(span: ReadableSpan, [step, ...rest] = this.#steps): void {
    const next = step ? step(span) : this.#export?.add(span)
    if (next instanceof Promise) {
      const done = next
        .then((masked) => this.#runSteps(masked, rest))
        .catch((error: unknown) => this.#dropFailed(error))
        .finally(() => this.#pendingSteps.delete(done))
      this.#pendingSteps.add(done)
    } else if (next) this.#runSteps(next, rest)
  }

  #dropFailed(error: unknown): void {
    const text = `A span could not be processed: ${messageOf(error)}.`
    this.#export?.ledger.drop('not_prepared', 1, { kind: 'processing', text })
  }
}
