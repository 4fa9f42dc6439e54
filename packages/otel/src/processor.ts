import type { Attributes, Context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { capturesContent } from '@svc/core/capture-content'
import { claimedTraceId, lateAttributes, propagatedAttributes } from '@svc/core/context'
import { givenEnvironment } from '@svc/core/environment'
import { type ExitRegistration, onExit } from '@svc/core/exit'
import type { SvcHealth } from '@svc/core/health'
import { keepAlive } from '@svc/core/keep-alive'
import { log, messageOf, warnOnce } from '@svc/core/log'
import type { Cause } from '@svc/core/losses'
import { ownOptions } from '@svc/core/own-options'
import { readSettings, type Settings } from '@svc/core/setting'
import { exportSettings } from '@svc/core/settings'
import { assemble } from './assemble.ts'
import type { ExportDecision } from './decision.ts'
import { EndedSpans } from './ended-spans.ts'
import type { ShouldExportSpan } from './filter.ts'
import { LateSpans } from './late.ts'
import { reportLate, sameAs } from './late-options.ts'
import { masker } from './mask.ts'
import { inCurrentShape } from './older-span.ts'
import type { SvcSpanProcessorParams } from './params.ts'
import type { Pipeline } from './pipeline.ts'
import { type FindRoot, RootIo } from './root-io/root-io.ts'
import type { ReadableSpan, Span, SpanProcessor } from './sdk.ts'
import { serverDecision } from './server-decision.ts'
import { SpanTree } from './span-tree.ts'
import { withAttributes, withParent } from './span-view.ts'
import { defaultsOf, stampOf } from './stamp.ts'

// What OpenTelemetry's provider waits for a flush, too.
const FLUSH_LIMIT_MS = 30_000

/**
 * Sends spans to the service. Writes environment, release and propagated values on spans when they start; filters,
 * masks, extracts media and delivers them when they end. Never throws or rejects into the application, and never
 * modifies an ended span.
 *
 * @example
 * const provider = new TracerProvider({ spanProcessors: [new SvcSpanProcessor()] })
 */
export class SvcSpanProcessor implements SpanProcessor {
  readonly #params: SvcSpanProcessorParams
  #settings: Settings<typeof exportSettings>
  #defaults: Attributes
  #filter: ShouldExportSpan | undefined
  #decision: ExportDecision
  #tree = new SpanTree()
  readonly #rootIo: RootIo | undefined
  readonly #findRoot: FindRoot = (span) => this.#tree.root(span, this.#decision.guess)
  readonly #late = new LateSpans((span, context) => stampOf(span, propagatedAttributes(context, this.#settings), {}))
  readonly #pipeline: Pipeline
  readonly #ended: EndedSpans
  /** Whether spans may wait: no application code runs for them, and none has to be sent at once. */
  #mayWait: boolean
  #exit: ExitRegistration | undefined
  #stopped: Promise<void> | undefined

  constructor(options: SvcSpanProcessorParams = {}) {
    const params = ownOptions(options)
    const env = givenEnvironment(params.env, warnOnce)
    const settings = readSettings(exportSettings, { ...params }, env, warnOnce)
    this.#params = params
    this.#settings = settings
    this.#defaults = defaultsOf(settings)
    this.#filter = params.shouldExportSpan
    this.#rootIo = settings.rootIo && capturesContent() ? new RootIo() : undefined
    this.#pipeline = assemble(settings, params, env)
    this.#decision = this.#decisionBy(settings)
    const batch = { spans: settings.flushAt, waitMs: settings.flushInterval * 1_000 }
    const look = () => this.#pipeline.look()
    this.#ended = new EndedSpans(this.#process, batch, params.outside, look)
    const { mask, shouldExportSpan, exporter, exportMode } = params
    this.#mayWait = !(mask || shouldExportSpan || exporter || exportMode === 'immediate' || settings.spool === 'always')
  }

  /**
   * Adds options to a processor that runs, for spans from now on: environment and release are replaced, a filter takes
   * the place of the one before, allowed scopes join those that are there, a mask is applied before those that are
   * there, and what is said of baggage counts from now on. Other options are settled when the processor is made; giving
   * them is reported.
   */
  attach(options: SvcSpanProcessorParams): void {
    const given = ownOptions(options)
    const { environment, release, mask, shouldExportSpan, allowedScopes, trustBaggage, ...settled } = given
    this.#ended.drain()
    if (mask || shouldExportSpan) this.#mayWait = false
    const { environment: environmentRow, release: releaseRow } = exportSettings
    const rows = { environment: environmentRow, release: releaseRow }
    const later = readSettings(rows, { environment, release }, () => undefined, warnOnce)
    this.#defaults = { ...this.#defaults, ...defaultsOf(later) }
    if (trustBaggage !== undefined) this.#settings = { ...this.#settings, trustBaggage }
    if (allowedScopes) {
      this.#settings = { ...this.#settings, allowedScopes: [...this.#settings.allowedScopes, ...allowedScopes] }
    }
    this.#filter = shouldExportSpan ?? this.#filter
    if (shouldExportSpan || allowedScopes) this.#decision = this.#decisionBy(this.#settings)
    if (mask) this.#pipeline.prepend(masker(mask))
    reportLate(settled, sameAs(settled, this.#params, this.#settings))
  }

  /** Stamps environment, release and propagated values, and marks the app root. Order: contract 1.5. */
  onStart(started: Span, parentContext: Context): void {
    if (this.#stopped) return
    try {
      const span = inCurrentShape(started, parentContext)
      const stamp = stampOf(span, propagatedAttributes(parentContext, this.#settings), this.#defaults)
      span.setAttributes(stamp)
      const late = lateAttributes(parentContext)
      if (late) this.#late.start(span, parentContext, late, stamp)
      const expected = this.#decision.guess(span)
      const parentExpected = this.#tree.start(span, expected)
      if (!expected || parentExpected) return
      const claimed = claimedTraceId(parentContext, this.#settings)
      const isClaimed = claimed !== undefined && claimed === span.spanContext().traceId.toLowerCase()
      if (!isClaimed) span.setAttribute(ATTRIBUTE.IS_APP_ROOT, true)
    } catch (error) {
      log.error('Environment and release could not be set on a span:', error)
    }
  }

  /** Writes attributes that became known while the span ran. */
  onEnding(span: Span): void {
    if (this.#stopped || !this.#late.isUsed) return
    try {
      this.#late.ending(inCurrentShape(span))
    } catch (error) {
      log.error('Environment and release could not be set on a span:', error)
    }
  }

  /**
   * Processes the span if it passes the filter: synchronously, or together with others that end soon ({@link
   * EndedSpans}). Masking, media and deferred attributes may take longer.
   */
  onEnd(ended: ReadableSpan): void {
    if (this.#stopped) return
    try {
      const span = inCurrentShape(ended)
      const rest = this.#late.isUsed ? this.#late.rest(span) : undefined
      const waits = rest === undefined && this.#mayWait && this.#exit && this.#ended.add(span)
      if (!waits) {
        this.#ended.outside(() => {
          this.#ended.drain()
          this.#pipeline.look()
          this.#process(span, rest)
        })
      }
      this.#exit?.added()
    } catch (error) {
      this.#failed(error)
    }
  }

  /** @param rest what is still to be learned of it */
  readonly #process = (span: ReadableSpan, rest?: Promise<Attributes>): void => {
    try {
      const kept = this.#decision.decide(span)
      const rootIo = this.#rootIo?.end(span, kept ? this.#findRoot : undefined)
      const parent = this.#tree.end(span, kept, this.#decision.guess)
      if (!kept) return
      this.#exit ??= this.#listenToExit()
      const moved = parent?.spanId !== span.parentSpanContext?.spanId
      const placed = moved ? withParent(span, parent) : span
      const taken = rootIo ? withAttributes(placed, { ...span.attributes, ...rootIo }) : placed
      this.#pipeline.take(
        taken,
        rest?.then((attributes) => withAttributes(taken, { ...taken.attributes, ...attributes })),
      )
    } catch (error) {
      this.#failed(error)
    }
  }

  /**
   * Resolves when all spans that ended so far have arrived, uploads included, or when waiting is pointless: the service
   * is unavailable (delivery is retried later), or 30 seconds are over. Keeps the process alive. Never rejects.
   */
  forceFlush(): Promise<void> {
    return this.#stopped ?? this.#flush(this.#settings.timeout * 1_000)
  }

  /** Returns the state of delivery, and the counts of all ended spans. */
  health(): SvcHealth {
    this.#ended.drain()
    return this.#pipeline.health()
  }

  /**
   * Flushes and stops within `SVC_SHUTDOWN_TIMEOUT`. Later spans are not recorded, and undelivered spans are reported
   * as lost. Keeps the process alive. Never rejects; a second call waits for the first.
   */
  shutdown(): Promise<void> {
    const limit = this.#settings.shutdownTimeout * 1_000
    this.#ended.drain()
    this.#stopped ??= keepAlive(this.#pipeline.shutdown(limit), limit).finally(() => this.#exit?.remove())
    this.#tree = new SpanTree()
    return this.#stopped
  }

  #decisionBy(settings: Settings<typeof exportSettings>): ExportDecision {
    return serverDecision(settings, this.#filter, (cause) => this.#lost(cause))
  }

  #failed(error: unknown): void {
    this.#lost({ kind: 'processing', text: `A span could not be processed: ${messageOf(error)}.` })
  }

  /** The loss is also reported at exit. */
  #lost(cause: Cause): void {
    // It may be what failed.
    attempt('listen to the end of the process', () => {
      this.#exit ??= this.#listenToExit()
    })
    this.#pipeline.lost(cause)
  }

  #flush(idleMs: number): Promise<void> {
    this.#ended.drain()
    return keepAlive(this.#pipeline.flush({ idleMs, totalMs: FLUSH_LIMIT_MS }), FLUSH_LIMIT_MS)
  }

  #listenToExit(): ExitRegistration {
    const pipeline = this.#pipeline
    const timeoutMs = this.#settings.shutdownTimeout * 1_000
    const exit = onExit({
      timeoutMs,
      pending: () => {
        this.#ended.drain()
        return pipeline.isBusy
      },
      needsEventLoop: () => pipeline.needsEventLoop,
      flush: (atExit) => this.#stopped ?? this.#flush(atExit ? timeoutMs : this.#settings.timeout * 1_000),
      outbox: () => {
        this.#ended.drain()
        return pipeline.outbox()
      },
      goOn: () => pipeline.goOn(),
      close: () => pipeline.close(),
    })
    exit.listen()
    return exit
  }
}
