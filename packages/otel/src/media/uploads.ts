import type { FlushLimits } from '@svc/core/delivery/delivery'
import type { Target } from '@svc/core/delivery/outbox-parts'
import type { HttpSender } from '@svc/core/http-exchange'
import { log, messageOf } from '@svc/core/log'
import { Losses } from '@svc/core/losses'
import { type RetryClock, retryClock, retrying } from '@svc/core/retry'
import { withTracingSuppressed } from '@svc/core/suppress-tracing'
import { within } from '@svc/core/timers'
import { type UploadParts, uploadMedia } from '@svc/core/upload-media'
import type { Background } from '../pipeline.ts'
import type { Upload } from './lift.ts'
import { mediaApi } from './media-api.ts'

const CONCURRENCY = 4
/** Milliseconds that the storage may take, retries included. */
const STORAGE_LIMIT_MS = 30_000
/** Bytes of media that may be queued or uploading. */
const CAPACITY = 64 * 1_048_576
/** Uploads that may be queued or running: each is up to three requests, and one text can hold a great many. */
const COUNT = 1_000

/** Uploads media in the background, a few at a time. Spans do not wait for it; a flush does. */
export class Uploads implements Background {
  readonly #parts: UploadParts
  readonly #sender: HttpSender
  readonly #waiting: Upload[] = []
  readonly #unfinished = new Set<Upload>()
  /** Flushes that wait for the next response of the service or the storage. */
  readonly #flushes = new Set<() => void>()
  readonly #losses = new Losses((count) => (count === 1 ? '1 upload failed.' : `${count} uploads failed.`))
  #underWay = 0
  #bytes = 0

  constructor(target: Target, sender: HttpSender, timeoutMs: number, clock: RetryClock = retryClock) {
    this.#sender = sender
    const progress = () => this.#progress()
    const storage: HttpSender = {
      async send(request) {
        const response = await sender.send(request)
        progress()
        return response
      },
      close: () => sender.close(),
    }
    const api = mediaApi(target, retrying(storage, clock), timeoutMs)
    this.#parts = { api, storage, clock, storageLimitMs: STORAGE_LIMIT_MS }
  }

  /** Queues an upload; returns false when the queue is full. */
  readonly schedule = (upload: Upload): boolean => {
    const size = upload.media.bytes.length
    if (this.#bytes + size > CAPACITY || this.#unfinished.size >= COUNT) {
      log.once('warn', FULL)
      return false
    }
    this.#bytes += size
    this.#unfinished.add(upload)
    this.#waiting.push(upload)
    this.#start()
    return true
  }

  /** Resolves when everything is uploaded, or when a flush has waited long enough for the next response. */
  async flush({ idleMs, totalMs }: FlushLimits): Promise<void> {
    const deadline = performance.now() + totalMs
    while (this.pending > 0) {
      let wake: (() => void) | undefined
      const progress = new Promise<true>((resolve) => {
        wake = () => resolve(true)
        this.#flushes.add(wake)
      })
      const isAlive = await within(progress, Math.min(idleMs, deadline - performance.now()))
      if (wake) this.#flushes.delete(wake)
      if (!isAlive) return
    }
  }

  get pending(): number {
    return this.#unfinished.size
  }

  async stop(): Promise<void> {
    this.#sender.close()
  }

  close(): void {
    if (this.pending > 0) {
      this.#losses.add({ kind: 'shutdown', text: 'Media was not uploaded before the end.' }, this.pending)
    }
    for (const { media } of this.#waiting.splice(0)) this.#bytes -= media.bytes.length
    this.#unfinished.clear()
    this.#losses.log(this.#losses.rest())
    this.#progress()
  }

  #progress(): void {
    for (const wake of this.#flushes) wake()
  }

  #start(): void {
    while (this.#underWay < CONCURRENCY) {
      const next = this.#waiting.shift()
      if (!next) return
      this.#underWay++
      void withTracingSuppressed(() => this.#run(next)).then(() => {
        this.#underWay--
        this.#bytes -= next.media.bytes.length
        this.#unfinished.delete(next)
        this.#progress()
        this.#start()
      })
    }
  }

  async #run(upload: Upload): Promise<void> {
    try {
      const { media, ...place } = upload
      await uploadMedia(this.#parts, media, place)
    } catch (error) {
      // Reported as lost already.
      if (!this.#unfinished.has(upload)) return
      // One kind: error texts of storages vary endlessly.
      this.#losses.report(
        { kind: 'upload', text: `Media ${upload.media.id} was not uploaded: ${messageOf(error)}.` },
        1,
      )
    }
  }
}

const FULL = `More than ${CAPACITY / 1_048_576} MiB or ${COUNT} pieces of media wait for upload, so further media stay in their spans.`
