import { builtin } from '@svc/core/builtin'
import type { Cause } from '@svc/core/losses'
import { compressNow, decompress } from './compress.ts'
import { countSpans, splitRequest } from './otlp/split.ts'
import type { RequestForm } from './request-form.ts'
import type { SpoolEntry } from './spool/spool-file.ts'
import type { AheadFile } from './spool/write-ahead.ts'

/** One request that waits to be sent: bytes outside of the heap of JavaScript, and what has to be known of them. */
export interface SealedBatch {
  /** An OTLP `ExportTraceServiceRequest`. */
  readonly body: Uint8Array<ArrayBuffer>
  readonly isCompressed: boolean
  /** Bytes of the request uncompressed. */
  readonly rawSize: number
  readonly spans: number
  /** When it was sealed, by the clock. */
  readonly sealedAt: number
  /** Which flush it belongs to: the next one after it was sealed. */
  readonly epoch: number
  /** When it was refused as it is, and why. */
  readonly refusal?: { readonly at: number; readonly cause: Cause }
  /** Its place on disk, if it has one. */
  readonly entry?: SpoolEntry
  /** Where its spans were written before it was sealed. */
  readonly ahead?: AheadFile
}

/** The same batch as it is to be sent, as far as this runtime can change it. */
export function inEncoding(batch: SealedBatch, compressed: boolean): SealedBatch {
  if (batch.isCompressed === compressed) return batch
  const body = compressed ? compressNow(batch.body) : decompress(batch.body)
  return body ? { ...batch, body, isCompressed: compressed } : batch
}

/** The requests that a batch becomes, as it is sent: one, unless that is too large. */
export function fitted(batch: SealedBatch, form: RequestForm): readonly SealedBatch[] {
  const ready = inEncoding(batch, form.compressed)
  const [first, second] = form.isTooLarge(ready) ? (halves(ready) ?? []) : []
  return first && second ? [...fitted(first, form), second] : [ready]
}

/** Whether it has {@link halves}. */
export function canBeHalved({ spans, isCompressed }: SealedBatch): boolean {
  return spans > 1 && (!isCompressed || builtin('node:zlib') !== undefined)
}

/**
 * Two batches of half the spans, as if they had never been sent; undefined where there is only one span, or no way to
 * its bytes. They are compressed again when they are sent: not all of this in one step.
 */
export function halves(batch: SealedBatch): [SealedBatch, SealedBatch] | undefined {
  const { body, isCompressed } = inEncoding(batch, false)
  if (batch.spans < 2 || isCompressed) return undefined
  const { refusal: _, ...rest } = batch
  const [first, second] = splitRequest(body).map((half): SealedBatch => {
    return { ...rest, body: half, isCompressed: false, rawSize: half.length, spans: countSpans(half) }
  })
  return first && second && [first, second]
}
