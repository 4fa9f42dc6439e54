import { toBase64 } from '@svc/core/base64'

/** Milliseconds that fetching may take. */
const STORAGE_LIMIT_MS = 60_000

/** What the service tells about stored media. */
export interface SvcMediaReferenceParams {
  readonly mediaId: string
  readonly contentType: string
  /** Signed, for a while. */
  readonly url: string
  /** ISO time at which `url` stops working. */
  readonly urlExpiry?: string | undefined
  /** In bytes. */
  readonly contentLength?: number | undefined
  /** The text that stands for it: `@@@svcMedia:…@@@`. */
  readonly referenceString: string
}

/** Media in a dataset item: where it is, and how to get it. In JSON it is its reference string again. */
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
   * Whether `url` has stopped working, or does within `threshold` seconds (default 60). Without an expiry: no.
   * Fetch the dataset again for a new one.
   */
  isUrlExpired(threshold = 60): boolean {
    const expiry = Date.parse(this.urlExpiry ?? '')
    return expiry - threshold * 1_000 <= Date.now()
  }

  /** @throws {Error} when the storage answers with anything but success; an expired URL is the usual reason. */
  async fetchBytes(): Promise<Uint8Array<ArrayBuffer>> {
    const response = await fetch(this.url, { signal: AbortSignal.timeout(STORAGE_LIMIT_MS) })
    if (!response.ok) {
      const expired = this.isUrlExpired(0) ? ' Its URL has expired: fetch the dataset again.' : ''
      throw new Error(`Media ${this.mediaId} cannot be fetched: the storage answered ${response.status}.${expired}`)
    }
    return new Uint8Array(await response.arrayBuffer())
  }

  /** {@link fetchBytes} in base64. */
  async fetchBase64(): Promise<string> {
    return toBase64(await this.fetchBytes())
  }

  /** {@link fetchBytes} as a data URI. */
  async fetchDataUri(): Promise<string> {
    return `data:${this.contentType};base64,${await this.fetchBase64()}`
  }

  toJSON(): string {
    return this.referenceString
  }
}
