import { toBase64 } from '@svc/core/base64'
import { isFields } from '@svc/core/json'
import { log, messageOf } from '@svc/core/log'
import { inPool } from '@svc/core/pool'
import type { MediaPlace } from '@svc/core/upload-media'
import { misuse } from '../misuse.ts'
import type { ManagerParts } from '../parts.ts'
import { download } from './download.ts'
import { type ParsedMediaReference, parseReferenceString, withReferences } from './reference-string.ts'
import type { SvcMedia } from './svc-media.ts'
import { withTexts } from './texts.ts'
import { type MediaUploadParts, upload } from './upload.ts'

/** Options of {@link MediaManager.resolveReferences}. */
export interface ResolveReferencesParams<T> {
  /** The object with the references. It is not changed. */
  readonly obj: T
  readonly resolveWith: 'base64DataUri'
  /** Maximum nesting of references. Default 10. */
  readonly maxDepth?: number | undefined
}

/** Downloads at the same time: a text may have any number of references. */
const AT_ONCE = 8

/** `client.media`: resolves media references and uploads media. */
export class MediaManager {
  readonly #parts: MediaUploadParts & { readonly api: { readonly media: Pick<ManagerParts['api']['media'], 'get'> } }

  constructor(parts: Pick<ManagerParts, 'api' | 'clock'>) {
    this.#parts = parts
  }

  /** Parses a reference string. @throws {Error} if the text is not one */
  static parseReferenceString(text: string): ParsedMediaReference {
    return parseReferenceString(text)
  }

  /**
   * Returns a copy of `obj` with each media reference replaced by a data URI, as models accept it. References that
   * cannot be fetched are logged and not replaced.
   *
   * @example
   * const messages = await client.media.resolveReferences({ obj: observation.input, resolveWith: 'base64DataUri' })
   */
  async resolveReferences<T>(params: ResolveReferencesParams<T>): Promise<T> {
    if (!isFields(params) || !('obj' in params)) throw misuse('media.resolveReferences', '{ obj, resolveWith }', params)
    const { obj, maxDepth = 10 } = params
    const references = new Set<string>()
    const note = (reference: string) => {
      references.add(reference)
      return reference
    }
    withTexts(obj, maxDepth, (text) => withReferences(text, note))
    const resolved = new Map(
      await inPool([...references], AT_ONCE, async (each) => [each, await this.#dataUriOf(each)] as const),
    )
    return withTexts(obj, maxDepth, (text) => withReferences(text, (each) => resolved.get(each) ?? each)) as T
  }

  /**
   * Uploads media of a trace or a dataset item. Bytes that the service already has are not sent again.
   *
   * @throws {Error} (as a rejection) if the media are empty, of an unsupported type, or rejected (for example, too
   * large)
   */
  async upload(media: SvcMedia, place: MediaPlace): Promise<void> {
    await upload(this.#parts, media, place)
  }

  async #dataUriOf(reference: string): Promise<string | undefined> {
    try {
      const { mediaId, contentType } = parseReferenceString(reference)
      const { url } = await this.#parts.api.media.get(mediaId)
      return `data:${contentType};base64,${toBase64(await download(url))}`
    } catch (error) {
      log.warn(`A media reference is not resolved, because its media cannot be fetched: ${messageOf(error)}`)
      return undefined
    }
  }
}
