import { compressNow, decompress } from './compress.ts'
import { countSpans, splitRequest } from './otlp/split.ts'
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
  /** When it was refused as it is for the first time. */
  readonly suspectSince?: number
  /** Its place on disk, if it has one. */
  readonly entry?: SpoolEntry
  /** Where its spans were written before it was sealed. */
  readonly ahead?: AheadFile
}

/** The same batch as it is to be sent. */
export function inEncoding(batch: SealedBatch, compressed: boolean): SealedBatch {
  if (batch.isCompressed === compressed) return batch
  if (!compressed) return { ...batch, body: decompress(batch.body), isCompressed: false }
  const body = compressNow(batch.body)
  return body ? { ...batch, body, isCompressed: true } : batch
}

/** Two batches of half the spans. They are compressed again when they are sent: not all of this in one step. */
export function halves(batch: SealedBatch): SealedBatch[] {
  const request = inEncoding(batch, false).body
  return splitRequest(request).map((body) => {
    return { ...batch, body, isCompressed: false, rawSize: body.length, spans: countSpans(body) }
  })
}
