import { fromBase64, toBase64 } from '@svc/core/base64'
import type { Bytes } from '@svc/core/bytes'
import { dataUrisIn } from '@svc/core/data-uris'
import { log } from '@svc/core/log'
import { type MediaNames, type MediaSource, mediaNamesOf, mediaTag } from '@svc/core/media'

/** The source of media: a data URI, or bytes and their type. */
export type SvcMediaParams =
  | { readonly source: 'base64_data_uri'; readonly base64DataUri: string }
  | { readonly source: 'bytes'; readonly contentBytes: Uint8Array; readonly contentType: string }

interface Content {
  readonly bytes: Bytes
  readonly contentType: string
}

/**
 * An image, audio or file in a trace or dataset item. It is uploaded automatically: from a trace when the span is
 * exported, from a dataset item when the item is created.
 *
 * The constructor never throws: invalid arguments are logged, and the object has no content.
 *
 * @example
 * const picture = new SvcMedia({ source: 'bytes', contentBytes: await readFile('cat.png'), contentType: 'image/png' })
 */
export class SvcMedia {
  readonly #source: MediaSource | undefined
  readonly #content: Content | undefined
  #names: Promise<MediaNames> | undefined

  constructor(params: SvcMediaParams) {
    this.#content = contentOf(params)
    this.#source = this.#content && params.source
    if (!this.#content) {
      log.error(`SvcMedia has no content: expected ${EXPECTED}.`)
    }
  }

  /** Media type without parameters: `image/png`. */
  get contentType(): string | undefined {
    return this.#content?.contentType
  }

  /** Size in bytes. */
  get contentLength(): number | undefined {
    return this.#content?.bytes.length
  }

  get contentBytes(): Bytes | undefined {
    return this.#content?.bytes
  }

  get base64DataUri(): string | undefined {
    return this.#content && `data:${this.#content.contentType};base64,${toBase64(this.#content.bytes)}`
  }

  /** Returns the id of these bytes in the service. */
  async getId(): Promise<string | undefined> {
    return (await this.#named())?.id
  }

  /** Returns the SHA-256 of the bytes as base64. */
  async getSha256Hash(): Promise<string | undefined> {
    return (await this.#named())?.sha256
  }

  /** Returns the reference string of these media: `@@@svcMedia:type=…|id=…|source=…@@@`. */
  async getTag(): Promise<string | undefined> {
    const names = await this.#named()
    return names && this.#content && this.#source && mediaTag(names.id, this.#content.contentType, this.#source)
  }

  /** Returns the data URI, which the export of traces replaces by the tag. */
  toJSON(): string | undefined {
    return this.base64DataUri
  }

  async #named(): Promise<MediaNames | undefined> {
    if (!this.#content) return undefined
    this.#names ??= mediaNamesOf(this.#content.bytes)
    return this.#names
  }
}

const EXPECTED = "{ source: 'base64_data_uri', base64DataUri } or { source: 'bytes', contentBytes, contentType }"

function contentOf(params: SvcMediaParams): Content | undefined {
  if (params?.source === 'base64_data_uri') return decoded(params.base64DataUri)
  if (params?.source !== 'bytes') return undefined
  const { contentBytes } = params
  const contentType = mediaTypeOf(params.contentType)
  if (!(contentBytes instanceof Uint8Array) || contentType === undefined) return undefined
  // A copy, because the id must match the bytes even if the caller changes them.
  return { bytes: Uint8Array.from(contentBytes), contentType }
}

// A content type may have parameters, which the tag cannot contain.
function mediaTypeOf(contentType: unknown): string | undefined {
  return typeof contentType === 'string'
    ? /^\s*([\w.+-]+\/[\w.+-]+)\s*(?:;|$)/.exec(contentType)?.[1]?.toLowerCase()
    : undefined
}

function decoded(uri: unknown): Content | undefined {
  if (typeof uri !== 'string') return undefined
  const text = uri.trim()
  const [found] = dataUrisIn(text)
  const bytes = found?.start === 0 && found.end === text.length ? fromBase64(found.base64) : undefined
  return found && bytes && { bytes, contentType: found.contentType }
}
