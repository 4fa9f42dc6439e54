import type { ByteBudget } from '@svc/core/delivery/byte-budget'
import { hostClock } from '@svc/core/delivery/clock'
import { Delivery, type FlushLimits } from '@svc/core/delivery/delivery'
import type { Ledger } from '@svc/core/delivery/ledger'
import type { Target } from '@svc/core/delivery/outbox-parts'
import { RequestForm } from '@svc/core/delivery/request-form'
import type { OpenSpool } from '@svc/core/delivery/spool/open-spool'
import { answererOf } from '@svc/core/delivery/verdict'
import type { HttpSender } from '@svc/core/http-exchange'
import type { Cause } from '@svc/core/losses'
import type { Outbox } from '@svc/core/outbox'
import type { Transport } from '@svc/core/transport'
import type { Compression } from '../compression.ts'
import { WAIT_MS } from '../ended-spans.ts'
import type { ExportSettings } from '../request.ts'
import type { ReadableSpan } from '../sdk.ts'
import { Batcher } from './batcher.ts'
import type { Encoding } from './encoding.ts'
import type { ExportHealth, ExportQueue } from './export-queue.ts'
import { SPANS, spanFormat } from './span-format.ts'

export type ExportMode = 'batched' | 'immediate'

/** The concurrency limit of OpenTelemetry's own exporter, for one request per span. */
const IMMEDIATE_CONCURRENCY = 30
/**
 * Longest time that a span waits in a worker thread, which may be terminated at any time. Includes its wait before
 * encoding.
 */
const THREAD_INTERVAL_MS = 500 - WAIT_MS

export interface EndpointExportParts {
  readonly settings: ExportSettings
  readonly mode: ExportMode
  readonly target: Target
  readonly transport: Transport
  readonly sender: HttpSender
  readonly encoding: Encoding
  readonly compression: Compression
  readonly ledger: Ledger
  /** Asked when the first span comes. */
  readonly isMainThread: boolean
  /** @param onReady called when there may be something to send */
  readonly openSpool?: ((onReady: () => void) => OpenSpool | undefined) | undefined
}

/** Exports to the service. A span is encoded when it ends; the queue holds sealed batches. */
export class EndpointExport implements ExportQueue {
  readonly needsEventLoop = false
  readonly #encoding: Encoding
  readonly #ledger: Ledger
  readonly #batcher: Batcher
  readonly #delivery: Delivery

  constructor(parts: EndpointExportParts) {
    const { settings, mode, target, transport, sender, encoding, compression, ledger } = parts
    const { baseUrl, shutdownTimeout } = settings
    const isImmediate = mode === 'immediate'
    const form = new RequestForm(compression !== 'none')
    const timeoutMs = settings.timeout * 1_000
    const intervalMs = settings.flushInterval * 1_000
    this.#encoding = encoding
    this.#ledger = ledger
    this.#delivery = new Delivery({
      noun: SPANS,
      target,
      transport,
      sender,
      ledger,
      timeoutMs,
      maxAgeMs: settings.maxRetryAge * 1_000,
      maxQueueBytes: settings.maxQueueBytes,
      concurrency: isImmediate ? IMMEDIATE_CONCURRENCY : undefined,
      gaveUp: `gave up on the last spans: ${baseUrl} did not accept them within ${shutdownTimeout} s (SVC_SHUTDOWN_TIMEOUT).`,
      format: spanFormat(form, answererOf(target.url, transport), timeoutMs, encoding),
    })
    const spool = parts.openSpool?.(() => this.#delivery.run())
    if (spool) this.#delivery.useSpool(spool)
    this.#batcher = new Batcher({
      size: isImmediate ? 1 : settings.flushAt,
      get everyMs() {
        return parts.isMainThread ? intervalMs : Math.min(intervalMs, THREAD_INTERVAL_MS)
      },
      resourceMs: timeoutMs,
      encoding,
      compression,
      form,
      clock: hostClock,
      ahead: spool?.ahead,
      budget: this.#delivery.budget,
      onSealed: (batch) => this.#delivery.add(batch),
    })
  }

  get pending(): number {
    return this.#batcher.items + this.#delivery.pending
  }

  get budget(): ByteBudget {
    return this.#delivery.budget
  }

  add(span: ReadableSpan): void {
    // Checked before encoding: a long outage must not cost more than a healthy endpoint.
    if (!this.#delivery.hasRoomFor(1)) return
    const encoded = this.#encoding.span(span)
    if (!encoded) this.#ledger.drop('not_encodable', 1, NOT_ENCODABLE)
    else if (this.#delivery.hasRoomFor(encoded.length)) this.#batcher.add(span, encoded)
  }

  flush(limits: FlushLimits): Promise<void> {
    return this.#delivery.flush(this.#batcher, limits)
  }

  outbox(): Outbox {
    return this.#delivery.outbox(this.#batcher)
  }

  stop(): Promise<void> {
    return this.#delivery.stop()
  }

  close(): void {
    this.#delivery.close(this.#batcher)
  }

  goOn(): void {
    this.#delivery.goOn()
  }

  health(): ExportHealth {
    return this.#delivery.health()
  }
}

const NOT_ENCODABLE: Cause = { kind: 'not_encodable', text: 'A span throws when it is read, so it cannot be encoded.' }
