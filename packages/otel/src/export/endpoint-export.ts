import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { HttpSender } from '@svc/core/http-exchange'
import { log } from '@svc/core/log'
import type { Cause } from '@svc/core/losses'
import type { Outbox } from '@svc/core/outbox'
import { after } from '@svc/core/timers'
import type { Transport } from '@svc/core/transport'
import type { Compression } from '../compression.ts'
import type { ExportSettings, Target } from '../request.ts'
import { Announcer } from './announcer.ts'
import { Batcher } from './batcher.ts'
import { ByteBudget } from './byte-budget.ts'
import { hostClock } from './clock.ts'
import { encodeSpan } from './encode-span.ts'
import { EndpointState } from './endpoint-state.ts'
import type { ExportHealth, ExportQueue, FlushLimits } from './export-queue.ts'
import { ExportRecord } from './export-record.ts'
import { type Ledger, spanCount } from './ledger.ts'
import { Pump } from './pump.ts'
import { RequestForm } from './request-form.ts'
import { SpanOutbox } from './span-outbox.ts'
import type { OpenSpool } from './spool/open-spool.ts'
import type { Spool } from './spool/spool.ts'
import { answererOf, type Verdict } from './verdict.ts'

export type ExportMode = 'batched' | 'immediate'

/** As many as OpenTelemetry's own exporter keeps under way, for one request a span. */
const IMMEDIATE_CONCURRENCY = 30
/** Longest time that a span waits in a worker thread: whoever made the thread may terminate it without a word. */
const THREAD_INTERVAL_MS = 500
const MEBI = 1_048_576

export interface EndpointExportParts {
  readonly settings: ExportSettings
  readonly mode: ExportMode
  readonly target: Target
  readonly transport: Transport
  readonly sender: HttpSender
  readonly compression: Compression
  readonly ledger: Ledger
  readonly isMainThread: boolean
  /** @param onReady told when there may be something to send */
  readonly openSpool?: ((onReady: () => void) => OpenSpool | undefined) | undefined
}

/**
 * The way to the service's own endpoint. A span becomes bytes when it ends; what waits are sealed batches, bounded in
 * bytes, and they are tried until they are too old.
 */
export class EndpointExport implements ExportQueue {
  readonly needsEventLoop = false
  readonly #settings: ExportSettings
  readonly #sender: HttpSender
  readonly #spool: Spool | undefined
  readonly #ledger: Ledger
  readonly #budget: ByteBudget
  readonly #state: EndpointState
  readonly #record = new ExportRecord()
  readonly #batcher: Batcher
  readonly #outbox: SpanOutbox
  readonly #pump: Pump
  readonly #announcer: Announcer
  /** Spans that were said to be left in the spool. */
  #left = 0
  /** Told of every settled request, and whether it got somewhere. */
  readonly #waiters = new Set<(progress: boolean) => void>()

  constructor(parts: EndpointExportParts) {
    const { settings, mode, target, transport, sender, compression, ledger, isMainThread } = parts
    const { spool, ahead } = parts.openSpool?.(() => this.#pump.run()) ?? {}
    this.#spool = spool
    const isImmediate = mode === 'immediate'
    const form = new RequestForm(compression !== 'none')
    const intervalMs = settings.flushInterval * 1_000
    this.#settings = settings
    this.#sender = sender
    this.#ledger = ledger
    this.#budget = new ByteBudget(settings.maxQueueBytes)
    this.#state = new EndpointState(hostClock, isImmediate ? IMMEDIATE_CONCURRENCY : undefined)
    this.#outbox = new SpanOutbox({
      target,
      transport,
      form,
      ledger,
      state: this.#state,
      budget: this.#budget,
      clock: hostClock,
      spool,
      timeoutMs: settings.timeout * 1_000,
      maxAgeMs: settings.maxRetryAge * 1_000,
      onSettled: (verdict) => this.#settled(verdict),
    })
    this.#pump = new Pump(this.#outbox, sender)
    this.#batcher = new Batcher({
      size: isImmediate ? 1 : settings.flushAt,
      everyMs: isMainThread ? intervalMs : Math.min(intervalMs, THREAD_INTERVAL_MS),
      resourceMs: settings.timeout * 1_000,
      compression,
      form,
      budget: this.#budget,
      clock: hostClock,
      ahead,
      onSealed: (batch) => {
        const entry = ahead && spool?.write(batch, () => batch.ahead?.remove())
        this.#outbox.add(entry ? { ...batch, entry } : batch)
        this.#pump.run()
      },
    })
    this.#announcer = new Announcer(this.#state, answererOf(target.url, transport), () => this.pending)
  }

  get pending(): number {
    return this.#batcher.spans + this.#outbox.spans + (this.#spool?.spans ?? 0)
  }

  add(span: ReadableSpan): void {
    // Before it is encoded: an endpoint that is away for long must not cost more than one that is there.
    if (!this.#outbox.spill(1)) {
      this.#full()
      return
    }
    const encoded = encodeSpan(span)
    if (!encoded) this.#ledger.drop('not_encodable', 1, NOT_ENCODABLE)
    else if (this.#outbox.spill(encoded.length)) this.#batcher.add(span, encoded)
    else this.#full()
  }

  async flush(limits: FlushLimits): Promise<void> {
    this.goOn()
    const epoch = await this.#batcher.seal()
    this.#state.hurry()
    this.#pump.run()
    await this.#delivered(epoch, limits)
  }

  outbox(): Outbox {
    this.#pump.stop()
    this.#spool?.end()
    this.#batcher.sealNow()
    this.#outbox.end()
    return this.#outbox
  }

  async stop(): Promise<void> {
    this.#pump.stop()
    this.#sender.close()
  }

  close(): void {
    this.#announcer.stop()
    this.#spool?.end()
    this.#batcher.sealNow()
    this.#outbox.close(this.#state.cause ?? this.#gaveUp())
    this.#sayLeft(this.#spool?.spans ?? 0)
    this.#spool?.close()
  }

  health(): ExportHealth {
    return { state: this.#state.phase, pendingBytes: this.#budget.used, ...this.#record.read() }
  }

  /** Resolves when nothing of this epoch is left, or when it is no use to wait. */
  #delivered(epoch: number, { idleMs, totalMs }: FlushLimits): Promise<void> {
    const deadline = hostClock.now() + totalMs
    const left = () => Math.min(idleMs, deadline - hostClock.now())
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const end = () => {
        clearTimeout(timer)
        this.#waiters.delete(look)
        resolve()
      }
      const giveUp = () => {
        this.#state.gaveUp()
        end()
      }
      const look = (progress: boolean) => {
        const { hasOnlyRefused } = this.#outbox
        if (!this.#outbox.holds(epoch) || hasOnlyRefused || this.#state.isHopeless(left())) {
          end()
        } else if (progress) {
          clearTimeout(timer)
          const wait = left()
          timer = after(wait, wait < idleMs ? end : giveUp)
        }
      }
      this.#waiters.add(look)
      look(true)
    })
  }

  #sayLeft(spans: number): void {
    if (spans > 0 && spans !== this.#left) log.info(`${spanCount(spans)} left in the spool, for the next start.`)
    this.#left = spans
  }

  goOn(): void {
    this.#outbox.goOn()
    this.#pump.goOn()
    this.#spool?.goOn()
  }

  #full(): void {
    const { limit } = this.#budget
    const size = limit % MEBI > 0 ? `${limit} bytes` : `${limit / MEBI} MiB`
    const text = `The export queue is full (${size}, SVC_OTEL_MAX_QUEUE_BYTES): the service accepts spans more slowly than the app ends them.`
    this.#ledger.drop('queue_full', 1, { kind: 'queue_full', text })
  }

  #settled(verdict: Verdict): void {
    if (verdict.kind === 'accepted') this.#record.succeeded()
    else this.#record.failed(verdict.cause.text)
    this.#announcer.look()
    const progress = verdict.kind === 'accepted' || this.#state.phase === 'ok'
    for (const look of this.#waiters) look(progress)
  }

  #gaveUp(): Cause {
    const { baseUrl, shutdownTimeout } = this.#settings
    const text = `gave up on the last spans: ${baseUrl} did not take them within ${shutdownTimeout} s (SVC_SHUTDOWN_TIMEOUT).`
    return { kind: 'gave up', text }
  }
}

const NOT_ENCODABLE: Cause = { kind: 'not_encodable', text: 'A span throws when it is read, so it cannot be encoded.' }
