import type { Bytes } from '@svc/core/bytes'
import type { ByteBudget } from '@svc/core/delivery/byte-budget'
import type { Clock } from '@svc/core/delivery/clock'
import type { RequestForm } from '@svc/core/delivery/request-form'
import type { SealedBatch } from '@svc/core/delivery/sealed-batch'
import type { AheadFile, WriteAhead } from '@svc/core/delivery/spool/write-ahead'
import { withTracingSuppressed } from '@svc/core/suppress-tracing'
import { after, within } from '@svc/core/timers'
import type { Compression } from '../compression.ts'
import type { ReadableSpan } from '../sdk.ts'
import type { Encoding, SpanBatch } from './encoding.ts'

/**
 * Part of the budget that may wait for compression. A burst in one tick leaves the compressing threads no time: beyond
 * this share, batches are compressed synchronously.
 */
const RAW_SHARE = 1 / 4
/**
 * Most of the interval, as a fraction, by which a batch is sealed early: at random, so that processes that started
 * together do not send at the same time.
 */
const JITTER = 0.25
/** Milliseconds between two writes to the write-ahead file: a killed process loses at most the spans of that time. */
const AHEAD_MS = 50
/** Most bytes of a buffer that is kept for the next batch. */
const LARGEST_SPARE = 4 * 1_048_576

export interface BatcherParts {
  /** Spans that make a batch. */
  readonly size: number
  /** Milliseconds a span waits at most. */
  readonly everyMs: number
  /** Longest wait for asynchronous resource attributes (host, container, cloud), in milliseconds. */
  readonly resourceMs: number
  readonly encoding: Encoding
  readonly compression: Compression
  /** What the endpoint accepts, as far as it is known by now: the size of a request, and whether compressed. */
  readonly form: RequestForm
  /** The memory of all spans that are not delivered, shared with the queue. */
  readonly budget: ByteBudget
  readonly clock: Clock
  /** Writes spans to disk while their batch is open; undefined without a spool. */
  readonly ahead?: WriteAhead | undefined
  /** Called with each batch that is ready to be sent. */
  readonly onSealed: (batch: SealedBatch) => void
}

/** Properties that are fixed when a batch is sealed. */
interface Seal {
  /** How many flushes had started before. A flush waits for the batches of its epoch and of earlier ones. */
  readonly epoch: number
  /** When, by the clock: compression takes long enough for later batches to be ready before. */
  readonly sealedAt: number
  /** The file with the spans that were written ahead; removed when the batch is delivered or on disk as a whole. */
  readonly ahead: AheadFile | undefined
}

/** A request between seal and compression. */
interface RawBatch extends Seal {
  readonly body: Bytes
  readonly spans: number
}

/**
 * Collects encoded spans into batches, sealed by count, by bytes, or when the first has waited long enough. A sealed
 * batch waits for its resource (host, container, cloud) if need be, is compressed, and is passed to `onSealed`.
 */
export class Batcher {
  readonly #parts: BatcherParts
  /** Batches that are being compressed. */
  readonly #raw = new Set<RawBatch>()
  /** Sealed batches that wait for asynchronous attributes of their resource. */
  readonly #unresolved = new Map<SpanBatch, Seal>()
  /** Settle when a sealed batch has been passed to `onSealed`; a flush awaits them. */
  readonly #tasks = new Set<Promise<void>>()
  #open: SpanBatch
  /** Bytes of the batches in `#raw`. */
  #rawSize = 0
  #epoch = 0
  /**
   * The buffer of an earlier batch, reused for the next one: a released buffer stays allocated until the next garbage
   * collection.
   */
  #spare: ArrayBuffer | undefined
  /** Bytes and spans of the open batch that are in the write-ahead file. */
  #written = { size: 0, spans: 0 }
  #timer: ReturnType<typeof setTimeout> | undefined
  #aheadTimer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: BatcherParts) {
    this.#parts = parts
    this.#open = parts.encoding.batch()
  }

  /** Spans that are not sealed yet. */
  get items(): number {
    let spans = this.#open.spans
    for (const batch of this.#unresolved.keys()) spans += batch.spans
    for (const batch of this.#raw) spans += batch.spans
    return spans
  }

  /** @param encoded the span's bytes: see {@link Encoding.span} */
  add({ resource, instrumentationScope }: ReadableSpan, encoded: Uint8Array): void {
    const { size, form, budget, ahead } = this.#parts
    // One span alone may be larger than a batch; several may not.
    if (this.#open.size + encoded.length > form.maxRawSize) this.#seal()
    budget.take(encoded.length)
    this.#open.append(resource, instrumentationScope, encoded)
    if (this.#open.spans >= size || this.#open.size >= form.maxRawSize) this.#seal()
    else if (!this.#timer || ahead) this.#arm(ahead)
  }

  /** Called by a flush: seals the open batch. @returns the epoch of all sealed batches, when they are compressed */
  async seal(): Promise<number> {
    this.#seal()
    const epoch = this.#epoch++
    await Promise.all(this.#tasks)
    return epoch
  }

  /** Called when the process exits: seals and compresses everything synchronously, with the resource as it is. */
  sealNow(): void {
    this.#stop()
    for (const raw of this.#raw) this.#packed(raw, this.#parts.encoding.gzip?.compressNow(raw.body))
    for (const [batch, seal] of this.#unresolved) void this.#pack(batch, seal, true)
    this.#unresolved.clear()
    if (this.#open.spans > 0) void this.#pack(this.#open, this.#newSeal(), true)
  }

  #seal(): void {
    this.#stop()
    const batch = this.#open
    if (batch.spans === 0) return
    const seal = this.#newSeal()
    const pending = [...batch.resources].filter((resource) => resource?.asyncAttributesPending)
    if (pending.length === 0) {
      this.#track(this.#pack(batch, seal))
      return
    }
    this.#open = this.#parts.encoding.batch()
    this.#unresolved.set(batch, seal)
    const resolved = Promise.allSettled(pending.map((resource) => resource.waitForAsyncAttributes?.()))
    this.#track(
      within(resolved, this.#parts.resourceMs).then(() => {
        return this.#unresolved.delete(batch) ? this.#pack(batch, seal) : undefined
      }),
    )
  }

  /** Writes a batch as a request, and compresses it. @returns when that is done; undefined if it is done already */
  #pack(batch: SpanBatch, seal: Seal, isLast = false): Promise<void> | undefined {
    const { spans, size } = batch
    const { budget, compression, form } = this.#parts
    const { gzip } = this.#parts.encoding
    const raw: RawBatch = { body: batch.seal(this.#spare), spans, ...seal }
    this.#spare = undefined
    budget.release(size)
    budget.take(raw.body.length)
    this.#raw.add(raw)
    this.#rawSize += raw.body.length
    if (!gzip || compression === 'none' || !form.compressed) this.#packed(raw, undefined)
    else if (isLast || (compression === 'zlib' && this.#rawSize > budget.limit * RAW_SHARE)) {
      this.#packed(raw, gzip.compressNow(raw.body))
    } else {
      const compressed = withTracingSuppressed(() => gzip.compress(raw.body, compression))
      return compressed.then((body) => this.#packed(raw, body))
    }
    return undefined
  }

  /** Passes a request on. @param compressed its compressed body; undefined to send it uncompressed */
  #packed(raw: RawBatch, compressed: Bytes | undefined): void {
    // `sealNow` did not wait for this compression, and has passed the batch on.
    if (!this.#raw.delete(raw)) return
    const { budget, onSealed } = this.#parts
    const { body, spans, epoch, sealedAt, ahead } = raw
    this.#rawSize -= body.length
    budget.release(body.length)
    this.#spare = body.buffer.byteLength <= LARGEST_SPARE ? body.buffer : undefined
    const batch: SealedBatch = {
      body: compressed ?? body.slice(),
      isCompressed: compressed !== undefined,
      rawSize: body.length,
      items: spans,
      sealedAt,
      epoch,
      ...(ahead && { ahead }),
    }
    onSealed(batch)
  }

  #track(work: Promise<void> | undefined): void {
    if (!work) return
    const done = work.finally(() => this.#tasks.delete(done))
    this.#tasks.add(done)
  }

  // One timer of each kind at a time, and none while nothing waits.
  #arm(ahead: WriteAhead | undefined): void {
    if (!this.#timer) this.#armTimer()
    if (ahead) this.#aheadTimer ??= withTracingSuppressed(() => after(AHEAD_MS, () => this.#writeAhead(ahead)))
  }

  #armTimer(): void {
    const { everyMs, clock } = this.#parts
    this.#timer = withTracingSuppressed(() =>
      after(everyMs * (1 - JITTER * clock.random()), () => {
        this.#timer = undefined
        this.#seal()
      }),
    )
  }

  #stop(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#aheadTimer)
    this.#timer = undefined
    this.#aheadTimer = undefined
  }

  #writeAhead(ahead: WriteAhead): void {
    this.#aheadTimer = undefined
    const { size, spans } = this.#open
    if (size > this.#written.size) {
      ahead.write(this.#open.since(this.#written.size, ahead.takeSpare()), spans - this.#written.spans)
    }
    this.#written = { size, spans }
  }

  /** Returns the seal of the open batch. Closes its write-ahead file, for the next batch to get its own. */
  #newSeal(): Seal {
    const { ahead, clock } = this.#parts
    this.#written = { size: 0, spans: 0 }
    return { epoch: this.#epoch, sealedAt: clock.now(), ahead: ahead?.next() }
  }
}
