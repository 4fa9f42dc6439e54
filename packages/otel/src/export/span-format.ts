import { builtin } from '@svc/core/builtin'
import type { Noun } from '@svc/core/delivery/noun'
import type { RequestForm } from '@svc/core/delivery/request-form'
import type { BatchFormat, SealedBatch } from '@svc/core/delivery/sealed-batch'
import { notTheService, type Verdict, type VerdictParts, verdictOf } from '@svc/core/delivery/verdict'
import { foreignText } from '@svc/core/foreign-text'
import type { HttpResponse } from '@svc/core/http-exchange'
import type { Encoding } from './encoding.ts'
import { readResponse } from './otlp/response.ts'

export const SPANS: Noun = { one: 'span', many: 'spans', made: 'ends' }

/** Batches that are OTLP `ExportTraceServiceRequest`s, compressed or not. */
export function spanFormat(form: RequestForm, host: string, timeoutMs: number, encoding: Encoding): BatchFormat {
  const parts: VerdictParts = { host, timeoutMs, noun: SPANS, taken: (response) => taken(response, host, encoding) }
  return {
    fitted: (batch) => fitted(batch, form, encoding),
    canBeHalved,
    halves: (batch) => halves(batch, encoding),
    verdictOf: (outcome) => verdictOf(outcome, parts),
    uncompressed(batch) {
      form.refusesCompression()
      return inEncoding(batch, false, encoding)
    },
    tooLarge(batch) {
      form.tooLarge(batch.rawSize)
      return form.isTooLarge(batch)
    },
  }
}

/** The same batch as it is to be sent, as far as this runtime can change it. */
export function inEncoding(batch: SealedBatch, compressed: boolean, { gzip }: Encoding): SealedBatch {
  if (batch.isCompressed === compressed) return batch
  const body = compressed ? gzip?.compressNow(batch.body) : gzip?.decompress(batch.body)
  return body ? { ...batch, body, isCompressed: compressed } : batch
}

/** The requests that a batch becomes, as it is sent: one, unless that is too large. */
function fitted(batch: SealedBatch, form: RequestForm, encoding: Encoding): readonly SealedBatch[] {
  const ready = inEncoding(batch, form.compressed, encoding)
  const [first, second] = form.isTooLarge(ready) ? (halves(ready, encoding) ?? []) : []
  return first && second ? [...fitted(first, form, encoding), second] : [ready]
}

/** Whether it has {@link halves}. */
function canBeHalved({ items, isCompressed }: SealedBatch): boolean {
  return items > 1 && (!isCompressed || builtin('node:zlib') !== undefined)
}

/**
 * Two batches of half the spans, as if they had never been sent; undefined where there is only one span, or no way to
 * its bytes. They are compressed again when they are sent: not all of this in one step.
 */
export function halves(batch: SealedBatch, encoding: Encoding): [SealedBatch, SealedBatch] | undefined {
  const { body, isCompressed } = inEncoding(batch, false, encoding)
  if (batch.items < 2 || isCompressed) return undefined
  const { refusal: _, ...rest } = batch
  const [first, second] = encoding.halves(body).map(({ body: half, spans }): SealedBatch => {
    return { ...rest, body: half, isCompressed: false, rawSize: half.length, items: spans }
  })
  return first && second && [first, second]
}

function taken(response: HttpResponse, host: string, encoding: Encoding): Verdict {
  const otlp = readResponse(response, encoding)
  if (!otlp) return notTheService(response, host, 'OTLP endpoint')
  const why = otlp.message ? `: ${foreignText(otlp.message)}` : ''
  return {
    kind: 'accepted',
    rejected: otlp.rejected,
    cause: { kind: 'partial', text: `${host} rejected spans${why}.` },
  }
}
