import type { FlushLimits } from '@svc/core/delivery/delivery'
import type { Ledger } from '@svc/core/delivery/ledger'
import { ExportRecord } from '@svc/core/health'
import { log, messageOf } from '@svc/core/log'
import { withTracingSuppressed } from '@svc/core/suppress-tracing'
import { after, within } from '@svc/core/timers'
import type { ExportSettings } from '../request.ts'
import type { ExportResult, ReadableSpan, SpanExporter } from '../sdk.ts'
import type { ExportMode } from './endpoint-export.ts'
import type { ExportHealth, ExportQueue } from './export-queue.ts'

// The default of OpenTelemetry's processor, 2,048, loses nearly all of a burst.
const QUEUE_SIZE = 100_000
/** Milliseconds that an exporter may take to call back: what OpenTelemetry gives one export. */
const LIMIT_MS = 30_000

/**
 * Exports to a custom exporter. Works like OpenTelemetry's batch and simple processors, and counts exported spans, so
 * that a flush can wait for them and the ledger adds up. OpenTelemetry's own processors are not used because they
 * differ between major versions of the SDK.
 */
export class ExporterExport implements ExportQueue {
  readonly needsEventLoop = true
  readonly #exporter: SpanExporter
  readonly #ledger: Ledger
  readonly #record = new ExportRecord()
  /** By what settles them: when each began, and its spans. */
  readonly #exports = new Map<Promise<void>, { readonly startedAt: number; readonly spans: number }>()
  readonly #capacity: number
  readonly #mode: ExportMode
  readonly #batchSize: number
  readonly #intervalMs: number
  #waiting: ReadableSpan[] = []
  #timer: ReturnType<typeof after> | undefined
  #pending = 0

  constructor(exporter: SpanExporter, settings: ExportSettings, mode: ExportMode, ledger: Ledger) {
    this.#exporter = exporter
    this.#ledger = ledger
    this.#mode = mode
    this.#batchSize = mode === 'immediate' ? 1 : settings.flushAt
    this.#intervalMs = settings.flushInterval * 1_000
    this.#capacity = Math.max(QUEUE_SIZE, settings.flushAt)
  }

  get pending(): number {
    return this.#pending
  }

  add(span: ReadableSpan): void {
    if (this.#pending >= this.#capacity) {
      const text = `The export queue is full (${this.#capacity} spans): the exporter accepts spans more slowly than the app ends them.`
      this.#ledger.drop('queue_full', 1, { kind: 'queue_full', text })
      return
    }
    this.#pending += 1
    this.#waiting.push(span)
    this.#goOn()
  }

  async flush({ totalMs }: FlushLimits): Promise<void> {
    const work = async () => {
      this.#forget()
      this.#exportAll()
      await Promise.all(this.#exports.keys())
      await withTracingSuppressed(async () => this.#exporter.forceFlush?.())
    }
    await within(work().catch(report), totalMs)
  }

  outbox(): undefined {
    return undefined
  }

  async stop(): Promise<void> {
    this.#exportAll()
    await Promise.all(this.#exports.keys())
    await withTracingSuppressed(async () => this.#exporter.shutdown()).catch(report)
  }

  close(): void {
    const cause = { kind: 'gave up', text: 'The exporter did not accept the last spans.' }
    this.#ledger.dropAtEnd(this.#pending, cause)
    this.#pending = 0
    this.#waiting = []
  }

  health(): ExportHealth {
    return { state: 'ok', pendingBytes: 0, ...this.#record.read() }
  }

  /** A full batch is exported as soon as the previous one is done, the rest after the interval. */
  #goOn(): void {
    if (this.#mode === 'immediate') {
      this.#exportAll()
    } else if (this.#waiting.length >= this.#batchSize && this.#exports.size === 0) {
      this.#export(this.#waiting.splice(0, this.#batchSize))
    } else {
      this.#timer ??= after(this.#intervalMs, () => this.#exportAll())
    }
  }

  #exportAll(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const spans = this.#waiting
    this.#waiting = []
    for (let at = 0; at < spans.length; at += this.#batchSize) this.#export(spans.slice(at, at + this.#batchSize))
  }

  #export(spans: ReadableSpan[]): void {
    const done = within(
      withTracingSuppressed(() => this.#handOut(spans)),
      LIMIT_MS,
    )
      // An export that never calls back must not delay every later flush.
      .then((result) => result ?? NO_ANSWER)
      .catch((error: unknown) => failedWith(messageOf(error)))
      .then((result) => {
        if (this.#exports.delete(done)) this.#settle(spans.length, result)
        if (this.#waiting.length > 0) this.#goOn()
      })
      .catch(report)
    this.#exports.set(done, { startedAt: performance.now(), spans: spans.length })
  }

  /** Hosts that end timers with the request that started them end the limit of an export, too. */
  #forget(): void {
    for (const [done, { startedAt, spans }] of this.#exports) {
      if (performance.now() - startedAt <= LIMIT_MS) continue
      this.#exports.delete(done)
      this.#settle(spans, NO_ANSWER)
    }
  }

  /** Not in the call that ended the span, so that the exporter does not block it. */
  async #handOut(spans: ReadableSpan[]): Promise<ExportResult> {
    const resources = new Set(spans.map(({ resource }) => resource))
    await Promise.all([...resources].map((each) => each?.asyncAttributesPending && each.waitForAsyncAttributes?.()))
    return new Promise((resolve, reject) => {
      // One that is an async function may reject.
      const exported: unknown = this.#exporter.export(spans, resolve)
      Promise.resolve(exported).catch(reject)
    })
  }

  #settle(spans: number, { code, error }: ExportResult): void {
    // Counted as lost when the queue was closed.
    if (this.#pending < spans) return
    this.#pending -= spans
    if (code === 0) {
      this.#record.succeeded()
      this.#ledger.send(spans)
      return
    }
    const reason = error ? messageOf(error) : 'it does not say why'
    this.#record.failed(reason)
    this.#ledger.drop('export_failed', spans, { kind: 'export_failed', text: `The exporter failed: ${reason}.` })
  }
}

const failedWith = (message: string): ExportResult => ({ code: 1, error: new Error(message) })

const NO_ANSWER = failedWith(`no answer within ${LIMIT_MS / 1_000} s`)

function report(error: unknown): void {
  log.error('The exporter failed:', error)
}

export const createExporterExport = (...parts: ConstructorParameters<typeof ExporterExport>): ExportQueue =>
  new ExporterExport(...parts)
