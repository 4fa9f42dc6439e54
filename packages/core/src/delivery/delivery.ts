import { ON_SERVER } from '@svc/core/on-server'
import { ExportRecord, type SvcHealth } from '../health.ts'
import type { HttpSender } from '../http-exchange.ts'
import { log } from '../log.ts'
import type { Cause } from '../losses.ts'
import type { Outbox } from '../outbox.ts'
import { mayStartWorker } from '../sync-http.ts'
import { after } from '../timers.ts'
import { Announcer } from './announcer.ts'
import { BatchOutbox } from './batch-outbox.ts'
import { ByteBudget } from './byte-budget.ts'
import { hostClock } from './clock.ts'
import { EndpointState } from './endpoint-state.ts'
import { countOf, type Noun } from './noun.ts'
import type { BatchOutboxParts } from './outbox-parts.ts'
import { Pump } from './pump.ts'
import type { SealedBatch } from './sealed-batch.ts'
import type { OpenSpool } from './spool/open-spool.ts'
import type { Spool } from './spool/spool.ts'
import type { WriteAhead } from './spool/write-ahead.ts'
import { answererOf, tooOld, type Verdict } from './verdict.ts'

const MEBI = 1_048_576

const NO_WORKER: Cause = {
  kind: 'no worker',
  text: "Nothing can be sent when a process exits: Node's permission model denies the worker for it. Add --allow-worker.",
}

/** Time limits of a flush, in milliseconds. */
export interface FlushLimits {
  /** Without progress. */
  readonly idleMs: number
  /** In total. */
  readonly totalMs: number
}

/** The part of {@link SvcHealth} that comes from a delivery. */
export type DeliveryHealth = Pick<SvcHealth, 'state' | 'pendingBytes' | 'lastSuccess' | 'lastFailure'>

/** Items that are not sealed yet, which a batcher adds to the delivery as batches. */
interface Unsealed {
  /** Seals them. @returns the epoch of all batches sealed so far, when they are ready */
  seal(): Promise<number>
  /** Seals them synchronously, for when the event loop does not run any more. */
  sealNow(): void
}

export interface DeliveryParts
  extends Pick<
    BatchOutboxParts,
    'target' | 'transport' | 'timeoutMs' | 'maxAgeMs' | 'ledger' | 'keepsOrder' | 'format'
  > {
  readonly noun: Noun
  readonly sender: HttpSender
  readonly maxQueueBytes: number | undefined
  /** Concurrent requests. */
  readonly concurrency?: number | undefined
  /** Log text for items that were still pending at the end. */
  readonly gaveUp: string
  /** Called for every settled request. */
  readonly onSettled?: ((verdict: Verdict) => void) | undefined
}

/**
 * Delivers sealed batches to an endpoint of the service: queues them within a limit of bytes, and retries until they
 * are too old. The caller defines their content: spans in `@svc/otel`, scores in `@svc/client`.
 */
export class Delivery {
  readonly state: EndpointState
  readonly budget: ByteBudget
  readonly #parts: DeliveryParts
  readonly #record = new ExportRecord()
  readonly #outbox: BatchOutbox
  readonly #pump: Pump
  readonly #announcer: Announcer
  #spool: Spool | undefined
  #ahead: WriteAhead | undefined
  /** Items that were logged as left in the spool. */
  #left = 0
  /** Called for every settled request, with whether it made progress. */
  readonly #waiters = new Set<(progress: boolean) => void>()

  constructor(parts: DeliveryParts) {
    const { target, transport, noun, maxAgeMs, sender } = parts
    const host = answererOf(target.url, transport)
    this.#parts = parts
    this.budget = new ByteBudget(parts.maxQueueBytes)
    // Where requests are cut off, a flush must not wait for those of others, nor have its own sent by them.
    this.state = new EndpointState(hostClock, sender.isCutOff ? Number.POSITIVE_INFINITY : parts.concurrency)
    this.#outbox = new BatchOutbox({
      ...parts,
      isCutOff: sender.isCutOff,
      state: this.state,
      budget: this.budget,
      clock: hostClock,
      spool: () => this.#spool,
      tooOld: (cause) => tooOld(cause, host, noun, maxAgeMs),
      onSettled: (verdict) => this.#settled(verdict),
    })
    this.#pump = new Pump(this.#outbox, sender)
    this.#announcer = new Announcer(this.state, host, noun, () => this.pending, sender.isCutOff)
  }

  /** Sets the spool for batches that do not fit into memory; undefined for none. */
  useSpool(open: OpenSpool | undefined): void {
    this.#spool = open?.spool
    this.#ahead = open?.ahead
  }

  get ahead(): WriteAhead | undefined {
    return this.#ahead
  }

  /** Sealed items that are not delivered. */
  get pending(): number {
    return this.#outbox.items + (this.#spool?.items ?? 0)
  }

  /** Whether a batch that is added now has to wait for others, or for the endpoint. */
  get isBusy(): boolean {
    return this.#outbox.waiting > 0 || this.state.phase !== 'ok'
  }

  /** Whether there is room for `bytes` more. Without room, one item is counted as dropped. */
  hasRoomFor(bytes: number): boolean {
    if (this.budget.hasRoomFor(bytes) || this.#outbox.spill(bytes)) return true
    this.#parts.ledger.drop('queue_full', 1, this.#full())
    return false
  }

  add(batch: SealedBatch): void {
    const entry = this.#ahead && this.#spool?.write(batch, () => batch.ahead?.remove())
    this.#outbox.add(entry ? { ...batch, entry } : batch)
    this.#pump.run()
  }

  /** To be called when there may be something new to send. */
  run(): void {
    this.#pump.run()
  }

  async flush(unsealed: Unsealed, limits: FlushLimits): Promise<void> {
    this.goOn()
    const epoch = await unsealed.seal()
    this.state.skipPause()
    this.#pump.run()
    await this.#delivered(epoch, limits)
  }

  /** Seals everything and returns it, to be sent without the event loop. */
  outbox(unsealed: Unsealed): Outbox {
    this.#pump.stop()
    this.#spool?.end()
    unsealed.sealNow()
    this.#outbox.end()
    return this.#outbox
  }

  /** Stops sending and closes the connections. */
  async stop(): Promise<void> {
    this.#pump.stop()
    this.#parts.sender.close()
  }

  /** Drops what is still pending, or leaves it in the spool. */
  close(unsealed: Unsealed): void {
    this.#announcer.stop()
    this.#spool?.end()
    unsealed.sealNow()
    this.#outbox.close(this.state.cause ?? this.#gaveUp())
    this.#logLeft(this.#spool?.items ?? 0)
    this.#spool?.close()
  }

  #gaveUp(): Cause {
    return ON_SERVER && !mayStartWorker() ? NO_WORKER : { kind: 'gave up', text: this.#parts.gaveUp }
  }

  /** To be called when delivery goes on after {@link outbox} or {@link close}. */
  goOn(): void {
    this.#outbox.goOn()
    this.#pump.goOn()
    this.#spool?.goOn()
  }

  health(): DeliveryHealth {
    return { state: this.state.phase, pendingBytes: this.budget.used, ...this.#record.read() }
  }

  /** Resolves when all batches of this epoch are settled, or when waiting is pointless. */
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
        this.state.gaveUp()
        end()
      }
      const look = (progress: boolean) => {
        const { hasOnlyRefused } = this.#outbox
        if (!this.#outbox.holds(epoch) || hasOnlyRefused || this.state.isHopeless(left())) {
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

  #logLeft(items: number): void {
    if (items > 0 && items !== this.#left) {
      log.info(`${countOf(items, this.#parts.noun)} left in the spool, for the next start.`)
    }
    this.#left = items
  }

  #full(): Cause {
    const { limit } = this.budget
    const size = limit % MEBI > 0 ? `${limit} bytes` : `${limit / MEBI} MiB`
    const { many, made } = this.#parts.noun
    const text = `The export queue is full (${size}, SVC_OTEL_MAX_QUEUE_BYTES): the service accepts ${many} more slowly than the app ${made} them.`
    return { kind: 'queue_full', text }
  }

  #settled(verdict: Verdict): void {
    if (verdict.kind === 'accepted') this.#record.succeeded()
    else this.#record.failed(verdict.cause.text)
    this.#announcer.update()
    const progress = verdict.kind === 'accepted' || this.state.phase === 'ok'
    for (const look of this.#waiters) look(progress)
    this.#parts.onSettled?.(verdict)
  }
}
