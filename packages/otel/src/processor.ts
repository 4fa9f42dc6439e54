import type { Context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { deferredAttributes, propagatedAttributes } from '@svc/core/context'
import { type ExitRegistration, onExit } from '@svc/core/exit'
import type { SvcHealth } from '@svc/core/health'
import { keepAlive } from '@svc/core/keep-alive'
import { warnOnce } from '@svc/core/log'
import { ownOptions } from '@svc/core/own-options'
import { readSettings } from '@svc/core/setting'
import { exportSettings } from '@svc/core/settings'
import { DeferredSpans } from './deferred.ts'
import { EndedSpans } from './ended-spans.ts'
import { inCurrentShape } from './older-span.ts'
import type { SvcSpanProcessorParams } from './params.ts'
import { laterRedaction } from './redaction/options.ts'
import type { ReadableSpan, Span, SpanProcessor } from './sdk.ts'
import { SelfMetrics } from './self-metrics.ts'
import { SERVER } from './server.ts'
import { reportSettled, sameAs } from './settled-options.ts'
import { FLUSH_LIMIT_MS, reportUnstamped, SpanFlow } from './span-flow.ts'
import { defaultsOf, stampOf } from './stamp.ts'

const LATER = { environment: exportSettings.environment, release: exportSettings.release }

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
  readonly #flow: SpanFlow
  readonly #deferred = new DeferredSpans((span, context) =>
    stampOf(span, propagatedAttributes(context, this.#flow.settings), {}),
  )
  readonly #metrics: SelfMetrics | undefined
  readonly #ended: EndedSpans
  /** Whether spans may wait: no application code runs for them, and none has to be sent at once. */
  #mayWait: boolean
  #exit: ExitRegistration | undefined
  #stopped: Promise<void> | undefined

  constructor(options: SvcSpanProcessorParams = {}) {
    const params = ownOptions(options)
    this.#params = params
    // Losses are reported at exit, too.
    this.#flow = new SpanFlow(params, SERVER, () => attempt('listen to the end of the process', this.#listen))
    const { settings } = this.#flow
    if (settings.healthMetrics) this.#metrics = new SelfMetrics(() => this.#flow.pipeline.health())
    const batch = { spans: settings.flushAt, waitMs: settings.flushInterval * 1_000 }
    this.#ended = new EndedSpans((span) => this.#flow.end(span), batch, params.outside, this.#look)
    const { mask, shouldExportSpan, exporter, exportMode } = params
    this.#mayWait = !(mask || shouldExportSpan || exporter || exportMode === 'immediate' || settings.spool === 'always')
  }

  /**
   * Adds options to a processor that runs, for spans from now on: environment and release are replaced, a filter takes
   * the place of the one before, allowed scopes and what is redacted join those that are there, a mask is applied before
   * those that are there, and trust in baggage is replaced. Other options are settled when the processor is made; giving
   * them is reported.
   */
  attach(options: SvcSpanProcessorParams): void {
    const given = ownOptions(options)
    const { redact, redactPatterns, mask, shouldExportSpan, allowedScopes, trustBaggage, ...rest } = given
    const { environment, release, ...settled } = rest
    this.#ended.drain()
    if (mask || shouldExportSpan) this.#mayWait = false
    const later = readSettings(LATER, { environment, release }, () => undefined, warnOnce)
    const { settings } = this.#flow
    this.#flow.change({
      defaults: defaultsOf(later),
      filter: shouldExportSpan,
      redaction: redact || redactPatterns ? laterRedaction({ redact, redactPatterns }) : undefined,
      settings: {
        ...(trustBaggage !== undefined && { trustBaggage }),
        ...(allowedScopes && { allowedScopes: [...settings.allowedScopes, ...allowedScopes] }),
      },
    })
    if (mask) this.#flow.pipeline.prepend(SERVER.masker(mask))
    reportSettled(settled, sameAs(settled, this.#params, this.#flow.settings))
  }

  /** Stamps environment, release and propagated values, and marks the app root. */
  onStart(started: Span, parentContext: Context): void {
    if (this.#stopped) return
    try {
      const span = inCurrentShape(started, parentContext)
      const stamp = this.#flow.start(span, parentContext)
      const deferred = deferredAttributes(parentContext)
      if (deferred) this.#deferred.start(span, parentContext, deferred, stamp)
    } catch (error) {
      reportUnstamped(error)
    }
  }

  /** Writes attributes that became known while the span ran. */
  onEnding(span: Span): void {
    if (this.#stopped || !this.#deferred.isUsed) return
    try {
      this.#deferred.ending(inCurrentShape(span))
    } catch (error) {
      reportUnstamped(error)
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
      const rest = this.#deferred.isUsed ? this.#deferred.rest(span) : undefined
      const waits = rest === undefined && this.#mayWait && this.#listens && this.#ended.add(span)
      if (!waits) {
        this.#ended.outside(() => {
          this.#ended.drain()
          this.#look()
          this.#flow.end(span, rest)
        })
      }
      this.#exit?.added()
    } catch (error) {
      this.#flow.failed(error)
    }
  }

  /**
   * Resolves when all spans that ended so far have arrived, uploads included, or when waiting is pointless: the service
   * is unavailable (delivery is retried later), or 30 seconds are over. Keeps the process alive. Never rejects.
   */
  forceFlush(): Promise<void> {
    return this.#stopped ?? this.#flush()
  }

  /** @internal Returns a context that tells called processes what `SVC_KEEP` has decided; undefined without it. */
  get told(): ((context: Context) => Context) | undefined {
    const { told } = this.#flow
    if (!told) return undefined
    return (context) => {
      this.#ended.outside(() => this.#ended.drain())
      return told(context)
    }
  }

  /** Returns the state of delivery, and the counts of all ended spans. */
  health(): SvcHealth {
    this.#drain()
    return this.#flow.health()
  }

  /**
   * Flushes and stops within `SVC_SHUTDOWN_TIMEOUT`. Later spans are not recorded, and undelivered spans are reported
   * as lost. Keeps the process alive. Never rejects; a second call waits for the first.
   */
  shutdown(): Promise<void> {
    const limit = this.#flow.settings.shutdownTimeout * 1_000
    this.#drain()
    this.#flow.decide()
    this.#stopped ??= keepAlive(this.#flow.shutdown(limit), limit).finally(() => this.#exit?.remove())
    this.#flow.stop()
    return this.#stopped
  }

  /** Looks at what the application may have changed. */
  readonly #look = (): void => {
    this.#metrics?.look()
    this.#flow.pipeline.look()
  }

  /** Nothing is to wait any longer. */
  #drain(): void {
    this.#ended.drain()
    this.#flow.settle()
  }

  #flush(idleMs?: number, totalMs = FLUSH_LIMIT_MS): Promise<void> {
    this.#ended.drain()
    return keepAlive(this.#flow.flush(idleMs, totalMs), totalMs)
  }

  readonly #listen = (): void => {
    this.#exit ??= this.#listenToExit()
  }

  /** Whether the end of the process does not lose what waits. */
  get #listens(): boolean {
    if (!this.#exit) attempt('listen to the end of the process', this.#listen)
    return this.#exit !== undefined
  }

  #listenToExit(): ExitRegistration {
    const flow = this.#flow
    const timeoutMs = flow.settings.shutdownTimeout * 1_000
    const exit = onExit({
      timeoutMs,
      pending: () => {
        this.#drain()
        flow.decide()
        return flow.usedPipeline?.isBusy ?? false
      },
      needsEventLoop: () => flow.usedPipeline?.needsEventLoop ?? false,
      flush: (atExit, limitMs) => this.#stopped ?? this.#flush(atExit ? timeoutMs : limitMs, limitMs),
      outbox: () => {
        this.#drain()
        flow.decide()
        return flow.usedPipeline?.outbox()
      },
      goOn: () => flow.usedPipeline?.goOn(),
      close: () => flow.usedPipeline?.close(),
    })
    exit.listen()
    return exit
  }
}
