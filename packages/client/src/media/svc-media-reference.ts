import { toBase64 } from '@svc/core/base64'
import type { Bytes } from '@svc/core/bytes'
import { foreignText } from '@svc/core/foreign-text'
import { messageOf } from '@svc/core/log'
import { download } from './download.ts'

/** Properties of stored media. */
export interface SvcMediaReferenceParams {
  readonly mediaId: string
  readonly contentType: string
  /** Signed URL, which expires. */
  readonly url: string
  /** ISO time at which `url` stops working. */
  readonly urlExpiry?: string | undefined
  /** Size in bytes. */
  readonly contentLength?: number | undefined
  /** The reference string: `@@@svcMedia:…@@@`. */
  readonly referenceString: string
}

/** Reference to media in a dataset item. It serializes to its reference string. */
export class SvcMediaReference implements SvcMediaReferenceParams {
  readonly mediaId: string
  readonly contentType: string
  readonly url: string
  readonly urlExpiry: string | undefined
  readonly contentLength: number | undefined
  readonly referenceString: string

  constructor({ mediaId, contentType, url, urlExpiry, contentLength, referenceString }: SvcMediaReferenceParams) {
    this.mediaId = mediaId
    this.contentType = contentType
    this.url = url
    this.urlExpiry = urlExpiry
    this.contentLength = contentLength
    this.referenceString = referenceString
  }

  /**
   * Whether `url` has expired, or expires within `threshold` seconds (default 60). False without an expiry. Fetch the
   * dataset again for a new URL.
   */
  isUrlExpired(threshold = 60): boolean {
    const expiry = Date.parse(this.urlExpiry ?? '')
    return expiry - threshold * 1_000 <= Date.now()
  }

  /**
   * Downloads the media, at most 64 MiB. @throws {Error} if the storage responds with an error status, usually because the
   * URL has expired.
   */
  async fetchBytes(): Promise<Bytes> {
    try {
      return await download(this.url)
    } catch (cause) {
      const expired = this.isUrlExpired(0) ? ' Its URL has expired: fetch the dataset again.' : ''
      throw new Error(`Media ${this.mediaId} cannot be fetched: ${foreignText(messageOf(cause))}.${expired}`, { cause })
    }
  }

  /** Downloads the media and returns them as base64. */
  async fetchBase64(): Promise<string> {
    return toBase64(await this.fetchBytes())
  }

  /** Downloads the media and returns them as a data URI. */
  async fetchDataUri(): Promise<string> {
    return `data:${this.contentType};base64,${await this.fetchBase64()}`
  }

  toJSON(): string {
    return this.referenceString
  }
}
