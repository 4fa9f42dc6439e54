import type { SealedBatch } from './sealed-batch.ts'

const MEGA = 1_000_000
/** Minimum limit of a batch: headers and one span need that much. */
const SMALLEST = 16_384
/** A filled batch may be larger by this factor: resources and scopes come on top. */
const ON_TOP = 1.1

/** The limits of one request: defaults at first, then adapted to the endpoint's answers. */
export class RequestForm {
  /** Bytes of a batch before compression. A single span may have more. */
  maxRawSize: number
  compressed: boolean

  constructor(compressed: boolean) {
    this.compressed = compressed
    this.maxRawSize = compressed ? 2 * MEGA : MEGA
  }

  /** Bytes of a request: proxies have a default limit of 1 MiB. */
  readonly maxSize: number = MEGA

  /** Whether a batch has to be split before it is sent. */
  isTooLarge({ body, rawSize, items }: Pick<SealedBatch, 'body' | 'rawSize' | 'items'>): boolean {
    return items > 1 && (body.length > this.maxSize || rawSize > this.maxRawSize * ON_TOP)
  }

  /** Called when a batch of this size was too large (413). */
  tooLarge(rawSize: number): void {
    this.maxRawSize = Math.min(this.maxRawSize, Math.max(SMALLEST, Math.floor(rawSize / 2)))
  }

  /** Called when the endpoint does not support compression (415). */
  refusesCompression(): void {
    this.compressed = false
    this.maxRawSize = Math.min(this.maxRawSize, this.maxSize)
  }
}
