import type { Bytes } from '../bytes.ts'
import type { HttpResponse } from '../http-exchange.ts'
import type { Cause } from '../losses.ts'
import type { SpoolEntry } from './spool/spool-file.ts'
import type { AheadFile } from './spool/write-ahead.ts'
import type { Verdict } from './verdict.ts'

/** One request that waits to be sent: bytes outside the JavaScript heap, and their metadata. */
export interface SealedBatch {
  readonly body: Bytes
  readonly isCompressed: boolean
  /** Bytes of the request uncompressed. */
  readonly rawSize: number
  /** Number of spans or scores. */
  readonly items: number
  /** When it was sealed, by the clock. */
  readonly sealedAt: number
  /** The flush it belongs to: the next one after it was sealed. */
  readonly epoch: number
  /** When and why it was rejected. */
  readonly refusal?: { readonly at: number; readonly cause: Cause }
  /** Its place on disk, if it has one. */
  readonly entry?: SpoolEntry
  /** The file with its items that was written before it was sealed. */
  readonly ahead?: AheadFile
  /** The caller that awaits its only item: a rejection is final at once. */
  readonly awaited?: Awaited
}

/** A caller that awaits the outcome of an item. The first call counts. */
export interface Awaited {
  accepted(): void
  lost(cause: Cause): void
}

/** Splits batches and interprets their responses, for the outbox. */
export interface BatchFormat {
  /** Returns the requests of a batch: one, unless it is too large. */
  fitted(batch: SealedBatch): readonly SealedBatch[]
  /** Whether it has {@link halves}. */
  canBeHalved(batch: SealedBatch): boolean
  /** Returns two batches with half the items each, without their history; undefined if that is not possible. */
  halves(batch: SealedBatch): readonly [SealedBatch, SealedBatch] | undefined
  /** Interprets a response, or the error if there was none. */
  verdictOf(outcome: HttpResponse | Error, batch: SealedBatch): Verdict
  /** For an endpoint without support for compression (415). @returns the batch uncompressed */
  uncompressed(batch: SealedBatch): SealedBatch
  /** Called when the batch was too large (413). @returns whether {@link fitted} splits it now */
  tooLarge(batch: SealedBatch): boolean
}
