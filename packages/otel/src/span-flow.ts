import type { Attributes, Context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { capturesContent } from '@svc/core/capture-content'
import { claimedTraceId, NONE, propagatedAttributes } from '@svc/core/context'
import { ByteBudget } from '@svc/core/delivery/byte-budget'
import { givenEnvironment } from '@svc/core/environment'
import type { SvcHealth } from '@svc/core/health'
import { missingKeys } from '@svc/core/keys'
import { log, messageOf, warnOnce } from '@svc/core/log'
import type { Cause } from '@svc/core/losses'
import { ON_SERVER } from '@svc/core/on-server'
import { readSettings, type Settings } from '@svc/core/setting'
import type { exportSettings } from '@svc/core/settings'
import { type Assembly, assemble } from './assemble.ts'
import { ExportDecision } from './decision.ts'
import { nowhere } from './export/export-queue.ts'
import type { ShouldExportSpan } from './filter.ts'
import type { Keep } from './keep/keep.ts'
import type { SvcSpanProcessorParams } from './params.ts'
import type { Pipeline } from './pipeline.ts'
import type { Platform } from './platform.ts'
import type { RedactionOptions } from './redaction/options.ts'
import type { ExportSettings } from './request.ts'
import { createRootIo, type FindRoot, type RootIo } from './root-io/root-io.ts'
import type { SameCalls } from './same-call.ts'
import type { ReadableSpan, Span } from './sdk.ts'
import { SpanTree } from './span-tree.ts'
import { withAttributes, withParent } from './span-view.ts'
import { defaultsOf, stampOf } from './stamp.ts'

// What OpenTelemetry's provider waits for a flush, too.
export const FLUSH_LIMIT_MS = 30_000

/** What may change while spans flow. */
interface Changes {
  readonly settings?: Partial<Settings<typeof exportSettings>> | undefined
  readonly defaults?: Attributes | undefined
  readonly filter?: ShouldExportSpan | undefined
  readonly redaction?: RedactionOptions | undefined
}

/**
 * Takes spans from their start to the pipeline, on servers and on the edge: stamps them when they start, and when they
 * end decides which are sent, under which parent, and what a root shows. Never throws.
 */
export class SpanFlow {
  readonly #make: () => Assembly
  #assembly: Assembly | undefined
  readonly #onKept: () => void
  #settings: Settings<typeof exportSettings>
  #defaults: Attributes
  #filter: ShouldExportSpan | undefined
  #decision: ExportDecision
  #tree = new SpanTree()
  readonly #calls: SameCalls | undefined
  /** Undefined without `SVC_KEEP`. */
  readonly #keep: Keep | undefined
  readonly #fillsRoots: boolean
  #rootIo: RootIo | undefined
  readonly #findRoot: FindRoot = (span) => this.#tree.root(span, this.#decision.guess)

  /** @param onKept called before a span is passed on, and before one is counted as lost. Must not throw */
  constructor(params: SvcSpanProcessorParams, platform: Platform, onKept: () => void = () => {}) {
    const env = givenEnvironment(params.env, warnOnce)
    const settings = readSettings(platform.settings, { ...params }, env, warnOnce)
    this.#settings = settings
    this.#onKept = onKept
    this.#defaults = defaultsOf(settings)
    this.#filter = params.shouldExportSpan
    this.#fillsRoots = settings.rootIo && capturesContent()
    this.#make = () => assemble(settings, params, env, platform)
    // What lies in a folder is sent without a span, and what is given wrongly is reported at once.
    const isGiven = params.exporter !== undefined || params.exportMode !== undefined
    if (isGiven || settings.spoolDir !== undefined || missingKeys(settings).length > 0) this.#assemble()
    this.#decision = this.#decide()
    this.#calls = platform.sameCalls?.((call) => this.#take(call))
    if (settings.keep && this.pipeline.queue !== nowhere) this.#keep = this.#keepBy(settings, params, platform)
  }

  get pipeline(): Pipeline {
    return this.#assemble().pipeline
  }

  /** The pipeline, if there was something for it. */
  get usedPipeline(): Pipeline | undefined {
    return this.#assembly?.pipeline
  }

  /** Assembled with the first span that is processed: no request waits for the code that sends. */
  #assemble(): Assembly {
    this.#assembly ??= this.#make()
    return this.#assembly
  }

  get settings(): Settings<typeof exportSettings> {
    return this.#settings
  }

  /** For spans from now on. */
  change({ settings, defaults, filter, redaction }: Changes): void {
    if (redaction) this.#assemble().redaction.add(redaction)
    this.#defaults = { ...this.#defaults, ...defaults }
    this.#filter = filter ?? this.#filter
    this.#settings = { ...this.#settings, ...settings }
    if (filter || settings?.allowedScopes) this.#decision = this.#decide()
  }

  /**
   * Stamps environment, release and propagated values, and marks the app root. Order: contract 1.5.
   *
   * @returns what was written, without the mark
   */
  start(span: Span, parentContext: Context): Attributes {
    let stamp = NONE
    try {
      stamp = stampOf(span, propagatedAttributes(parentContext, this.#settings), this.#defaults)
      span.setAttributes(stamp)
      this.#keep?.started(span, parentContext)
      const expected = this.#decision.guess(span)
      const parentExpected = this.#tree.start(span, expected)
      // Where it may end after those.
      if (expected) this.#calls?.group(span, this.#tree.above(span, this.#decision.guess))
      if (!expected || parentExpected) return stamp
      const claimed = claimedTraceId(parentContext, this.#settings)
      const isClaimed = claimed !== undefined && claimed === span.spanContext().traceId.toLowerCase()
      if (!isClaimed) span.setAttribute(ATTRIBUTE.IS_APP_ROOT, true)
    } catch (error) {
      reportUnstamped(error)
    }
    return stamp
  }

  /** @param rest what is still to be learned of an ended span */
  end(span: ReadableSpan, rest?: Promise<Attributes>): void {
    try {
      this.#end(span, rest)
      this.#keep?.ended(span)
    } catch (error) {
      this.failed(error)
    }
  }

  #end(span: ReadableSpan, rest: Promise<Attributes> | undefined): void {
    const kept = this.#decision.decide(span)
    const whole = (kept && this.#calls?.ended(span)) || span
    if (kept) this.#calls?.group(whole, this.#tree.above(span, this.#decision.guess))
    if (this.#fillsRoots) this.#rootIo ??= createRootIo()
    const rootIo = this.#rootIo?.end(span, kept ? this.#findRoot : undefined, whole)
    const waits = kept && !rest && this.#calls?.wait(whole, () => this.#tree.around(span, this.#decision.guess))
    const parent = this.#tree.end(span, kept && !waits, this.#decision.guess)
    if (kept) this.#onKept()
    if (!kept || waits) return
    const moved = parent?.spanId !== span.parentSpanContext?.spanId
    const placed = moved ? withParent(whole, parent) : whole
    const taken = rootIo ? withAttributes(placed, { ...whole.attributes, ...rootIo }) : placed
    this.#pass(
      taken,
      rest?.then((attributes) => withAttributes(taken, { ...taken.attributes, ...attributes })),
    )
  }

  /** A call that waited may be passed on by a timer, into which nothing may be thrown. */
  #take(call: ReadableSpan): void {
    try {
      this.#pass(call)
    } catch (error) {
      this.failed(error)
    }
  }

  #pass(span: ReadableSpan, complete?: Promise<ReadableSpan>): void {
    ;(this.#keep ?? this.pipeline).take(span, complete)
  }

  #keepBy({ keep = [], maxQueueBytes }: ExportSettings, { onDelivered }: SvcSpanProcessorParams, { keepBy }: Platform) {
    const budget = this.pipeline.queue.budget ?? new ByteBudget(maxQueueBytes)
    return keepBy?.(keep, { budget, pass: (...taken) => this.pipeline.take(...taken), onWithheld: onDelivered })
  }

  /** Counts a span that could not be processed. */
  failed(error: unknown): void {
    const cause: Cause = { kind: 'processing', text: `A span could not be processed: ${messageOf(error)}.` }
    attempt('count a lost span', () => {
      // A process without a free file handle cannot load what counts.
      if (ON_SERVER && !attempt('load what sends spans', () => this.pipeline)) warnOnce(cause.text)
      else this.#lose(cause)
    })
  }

  /**
   * Resolves when all spans that ended so far have arrived, uploads included, or when waiting is pointless.
   *
   * @param idleMs milliseconds without progress
   * @param totalMs milliseconds in all
   */
  async flush(idleMs = this.#settings.timeout * 1_000, totalMs = FLUSH_LIMIT_MS): Promise<void> {
    this.settle()
    this.#keep?.settle()
    await this.usedPipeline?.flush({ idleMs, totalMs })
  }

  /** Flushes and stops; what is not delivered in time is lost. Never rejects. */
  async shutdown(limitMs: number): Promise<void> {
    await this.usedPipeline?.shutdown(limitMs)
  }

  /** Passes on the spans that wait for others. */
  settle(): void {
    this.#calls?.settle()
  }

  /** Decides which spans are sent of traces that have not ended: no more of them may come. */
  decide(): void {
    this.#keep?.decide()
  }

  /** Returns a context that tells called processes what `SVC_KEEP` has decided; undefined without it. */
  get told(): ((context: Context) => Context) | undefined {
    return this.#keep?.told
  }

  health(): SvcHealth {
    const health = this.pipeline.health()
    return this.#keep ? { ...health, traces: this.#keep.counts } : health
  }

  /** Forgets the spans that are open. */
  stop(): void {
    this.#keep?.stop()
    this.#tree = new SpanTree()
  }

  #decide(): ExportDecision {
    return new ExportDecision(this.#settings, this.#filter, (cause) => this.#lose(cause))
  }

  #lose(cause: Cause): void {
    this.#onKept()
    this.pipeline.lost(cause)
  }
}

export function reportUnstamped(error: unknown): void {
  log.error('Environment and release could not be set on a span:', error)
}
