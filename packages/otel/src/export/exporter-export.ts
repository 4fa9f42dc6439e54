import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import type { FlushLimits } from '@svc/core/delivery/delivery'
import { ExportRecord } from '@svc/core/delivery/export-record'
import type { Ledger } from '@svc/core/delivery/ledger'
import { log, messageOf } from '@svc/core/log'
import { withTracingSuppressed } from '@svc/core/suppress-tracing'
import { within } from '@svc/core/timers'
import type { ExportSettings } from '../request.ts'
import type { ExportMode } from './endpoint-export.ts'
import type { ExportHealth, ExportQueue } from './export-queue.ts'

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0]

// The default of OpenTelemetry's processor, 2,048, loses nearly all of a burst.
const QUEUE_SIZE = 100_000
/** Milliseconds that an exporter may take to call back: what OpenTelemetry gives one export. */
const LIMIT_MS = 30_000

/**
 * The way to an exporter of the user's: OpenTelemetry's own batch or simple processor in front of it. They forget the
 * batches they have handed out, so those are counted here and a flush waits for them.
 */
export class ExporterExport implements ExportQueue {
  readonly needsEventLoop = true
  readonly #exporter: SpanExporter
  readonly #ledger: Ledger
  readonly #record = new ExportRecord()
  readonly #exports = new Set<Promise<void>>()
  readonly #ready: Promise<void>
  readonly #capacity: number
  #processor: SpanProcessor | undefined
  #early: ReadableSpan[] = []
  #pending = 0

  constructor(exporter: SpanExporter, settings: ExportSettings, mode: ExportMode, ledger: Ledger) {
    this.#exporter = exporter
    this.#ledger = ledger
    this.#capacity = Math.max(QUEUE_SIZE, settings.flushAt)
    this.#ready = loadProcessor(this.#counted(exporter), settings, mode, this.#capacity).then(
      (processor) => {
        this.#processor = processor
        for (const span of this.#early.splice(0)) processor.onEnd(span)
      },
      (error: unknown) =>
        log.error(`Option exporter needs the package @opentelemetry/sdk-trace; no span is sent: ${messageOf(error)}`),
    )
  }

  get pending(): number {
    return this.#pending
  }

  add(span: ReadableSpan): void {
    // What comes on top would be dropped there without a word.
    if (this.#pending >= this.#capacity) {
      const text = `The export queue is full (${this.#capacity} spans): the exporter accepts spans more slowly than the app ends them.`
      this.#ledger.drop('queue_full', 1, { kind: 'queue_full', text })
      return
    }
    this.#pending += 1
    if (this.#processor) this.#processor.onEnd(span)
    else this.#early.push(span)
  }

  async flush({ totalMs }: FlushLimits): Promise<void> {
    await this.#ready
    const work = withTracingSuppressed(async () => {
      await this.#processor?.forceFlush().catch(report)
      await Promise.all(this.#exports)
      await this.#exporter.forceFlush?.()
    })
    await within(work.catch(report), totalMs)
  }

  outbox(): undefined {
    return undefined
  }

  async stop(): Promise<void> {
    await this.#processor?.shutdown().catch(report)
  }

  close(): void {
    const cause = { kind: 'gave up', text: 'The exporter did not take the last spans.' }
    this.#ledger.dropAtEnd(this.#pending, cause)
    this.#pending = 0
    this.#early = []
  }

  health(): ExportHealth {
    return { state: 'ok', pendingBytes: 0, ...this.#record.read() }
  }

  /** The same exporter, with a promise in `#exports` for every export that may still call back. */
  #counted(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans, callback) => {
        const called = new Promise<ExportResult>((resolve) => exporter.export(spans, resolve))
        const done = within(called, LIMIT_MS)
          // One that never calls back must not be waited for again by every flush to come.
          .then((result) => result ?? failedWith(`no answer within ${LIMIT_MS / 1_000} s`))
          .catch((error: unknown) => failedWith(messageOf(error)))
          .then((result) => {
            this.#exports.delete(done)
            this.#settle(spans.length, result)
            callback(result)
          })
          .catch(report)
        this.#exports.add(done)
      },
      forceFlush: async () => exporter.forceFlush?.(),
      shutdown: () => exporter.shutdown(),
    }
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

async function loadProcessor(
  exporter: SpanExporter,
  settings: ExportSettings,
  mode: ExportMode,
  maxQueueSize: number,
): Promise<SpanProcessor> {
  const { BatchSpanProcessor, SimpleSpanProcessor } = await import('@opentelemetry/sdk-trace')
  if (mode === 'immediate') return new SimpleSpanProcessor({ exporter })
  return new BatchSpanProcessor({
    exporter,
    maxExportBatchSize: settings.flushAt,
    maxQueueSize,
    scheduledDelayMillis: settings.flushInterval * 1_000,
  })
}

const failedWith = (message: string): ExportResult => ({ code: 1, error: new Error(message) })

function report(error: unknown): void {
  log.error('The exporter failed:', error)
}
