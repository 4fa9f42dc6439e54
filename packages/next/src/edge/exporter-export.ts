import { bytesOf } from '@svc/core/bounded-json'
import { log, messageOf } from '@svc/core/log'
import { withTracingSuppressed } from '@svc/core/suppress-tracing'
import { inTime } from '@svc/core/timers'
import type { EdgeExportSettings, ReadableSpan, SpanExporter } from '@svc/otel/edge'
import { EdgeExport, type Waiting } from './edge-export.ts'
import { spanJson } from './otlp-json.ts'

interface Held extends Waiting {
  readonly span: ReadableSpan
}

/** Hands spans to an exporter of the application. What it does not export is lost. */
export class ExporterExport extends EdgeExport<Held> {
  readonly #exporter: SpanExporter

  constructor(exporter: SpanExporter, settings: EdgeExportSettings) {
    super(settings)
    this.#exporter = exporter
  }

  /** The exporter may hold what it has taken. */
  override async forceFlush(): Promise<void> {
    await this.flush()
    try {
      await inTime(
        withTracingSuppressed(async () => this.#exporter.forceFlush?.()),
        this.timeoutMs,
      )
    } catch (error) {
      log.error('The exporter failed:', error)
    }
  }

  protected prepare(span: ReadableSpan): Held {
    return { span, bytes: bytesOf(spanJson(span)) }
  }

  protected async send(batch: readonly Held[]): Promise<void> {
    try {
      const exported = new Promise<void>((resolve, reject) => {
        const spans = batch.map(({ span }) => span)
        // What it returns is of no type: one that is an async function may reject.
        withTracingSuppressed(async () =>
          this.#exporter.export(spans, ({ code, error }) => (code === 0 ? resolve() : reject(error))),
        ).catch(reject)
      })
      await inTime(exported, this.timeoutMs)
      this.ledger.sent += batch.length
      this.succeeded()
    } catch (error) {
      const reason = messageOf(error)
      const text = `The exporter failed: ${reason}.`
      this.lastFailure = { at: Date.now(), reason }
      this.ledger.drop('export_failed', batch.length, { kind: 'exporter', text })
      this.pause('paused')
    }
    this.remove(batch)
  }
}
