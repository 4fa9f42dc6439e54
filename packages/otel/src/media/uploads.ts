import type { Target } from '@svc/core/delivery/outbox-parts'
import type { HttpSender } from '@svc/core/http-exchange'
import { log, messageOf } from '@svc/core/log'
import { Losses } from '@svc/core/losses'
import { withTracingSuppressed } from '@svc/core/suppress-tracing'
import type { Background } from '../pipeline.ts'
import type { Upload } from './lift.ts'
import { hostUploadClock, retrying, type UploadClock } from './retry.ts'
import { type UploadParts, upload } from './upload.ts'

const CONCURRENCY = 4
/** Bytes that may wait for their upload or be under way. */
const CAPACITY = 64 * 1_048_576
/** Uploads that may wait or be under way: each is up to three requests, and one text can hold a great many. */
const COUNT = 1_000

/** Uploads media in the background, a few at a time. Spans do not wait for it; a flush does. */
export class Uploads implements Background {
  readonly #parts: UploadParts
  readonly #sender: HttpSender
  readonly #waiting: (() => Promise<void>)[] = []
  readonly #unfinished = new Set<Promise<void>>()
  readonly #losses = new Losses((count) => (count === 1 ? '1 upload failed.' : `${count} uploads failed.`))
  #underWay = 0
  #bytes = 0

  constructor(target: Target, sender: HttpSender, timeoutMs: number, clock: UploadClock = hostUploadClock) {
    this.#sender = sender
    this.#parts = { target, api: retrying(sender, clock), storage: sender, timeoutMs, clock }
  }

  /** Takes an upload on; false when the bytes that wait leave no room for it. */
  readonly schedule = (wanted: Upload): boolean => {
    const size = wanted.media.bytes.length
    if (this.#bytes + size > CAPACITY || this.#unfinished.size >= COUNT) {
      log.once('warn', FULL)
      return false
    }
    this.#bytes += size
    const done = new Promise<void>((resolve) => {
      this.#waiting.push(() => this.#run(wanted).then(resolve))
    }).then(() => {
      this.#bytes -= size
      this.#unfinished.delete(done)
    })
    this.#unfinished.add(done)
    this.#start()
    return true
  }

  async flush(): Promise<void> {
    await Promise.all(this.#unfinished)
  }

  get pending(): number {
    return this.#unfinished.size
  }

  async stop(): Promise<void> {
    this.#sender.close()
  }

  close(): void {
    if (this.pending > 0) {
      this.#losses.reportLater({ kind: 'shutdown', text: 'Media was not uploaded before the end.' }, this.pending)
    }
    this.#waiting.length = 0
    this.#unfinished.clear()
    this.#losses.reportRest()
  }

  #start(): void {
    while (this.#underWay < CONCURRENCY) {
      const next = this.#waiting.shift()
      if (!next) return
      this.#underWay++
      void withTracingSuppressed(next).then(() => {
        this.#underWay--
        this.#start()
      })
    }
  }

  async #run(wanted: Upload): Promise<void> {
    try {
      await upload(this.#parts, wanted)
    } catch (error) {
      // One kind: what a storage says in its errors has no end of variants.
      this.#losses.report(
        { kind: 'upload', text: `Media ${wanted.media.id} was not uploaded: ${messageOf(error)}.` },
        1,
      )
    }
  }
}

const FULL = `More than ${CAPACITY / 1_048_576} MiB or ${COUNT} pieces of media wait for upload, so further media stay in their spans.`
