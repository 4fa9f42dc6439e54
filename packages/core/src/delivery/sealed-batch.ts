import type { HttpResponse } from '../http-exchange.ts'
import type { Cause } from '../losses.ts'
import type { SpoolEntry } from './spool/spool-file.ts'
import type { AheadFile } from './spool/write-ahead.ts'
import type { Verdict } from './verdict.ts'

/** One request that waits to be sent: bytes outside of the heap of JavaScript, and what has to be known of them. */
export interface SealedBatch {
  readonly body: Uint8Array<ArrayBuffer>
  readonly isCompressed: boolean
  /** Bytes of the request uncompressed. */
  readonly rawSize: number
  /** How many spans, or scores, it has. */
  readonly items: number
  /** When it was sealed, by the clock. */
  readonly sealedAt: number
  /** Which flush it belongs to: the next one after it was sealed. */
  readonly epoch: number
  /** When it was refused as it is, and why. */
  readonly refusal?: { readonly at: number; readonly cause: Cause }
  /** Its place on disk, if it has one. */
  readonly entry?: SpoolEntry
  /** Where its items were written before it was sealed. */
  readonly ahead?: AheadFile
}

/** What the outbox must know of the bytes in a batch, and of the answers to it. */
export interface BatchFormat {
  /** The requests that a batch becomes as it is sent: one, unless that is too large. */
  fitted(batch: SealedBatch): readonly SealedBatch[]
  /** Whether it has {@link halves}. */
  canBeHalved(batch: SealedBatch): boolean
  /** Two batches of half the items, as if they had never been sent; undefined where that is not possible. */
  halves(batch: SealedBatch): readonly [SealedBatch, SealedBatch] | undefined
  /** What an answer, or the lack of one, means. */
  verdictOf(outcome: HttpResponse | Error, batch: SealedBatch): Verdict
  /** Compressed requests are not understood (415). @returns the batch uncompressed */
  uncompressed(batch: SealedBatch): SealedBatch
  /** The batch was too large (413). @returns whether {@link fitted} makes smaller ones of it now */
  tooLarge(batch: SealedBatch): boolean
}
