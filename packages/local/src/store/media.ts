import { bytes, orNull, text, whole } from './kinds.ts'
import { type RowOf, table } from './rows.ts'

/** Media files, uploaded or not. */
export const MEDIA = table({
  name: 'media',
  columns: {
    /** First 22 characters of the URL-safe base64 of the hash (contract 1.8). */
    id: text,
    contentType: text,
    contentLength: whole,
    /** SHA-256 in base64. */
    sha256Hash: text,
    /** The time of the upload as the client reports it, else of the arrival of the bytes, in milliseconds since 1970. */
    uploadedAt: orNull(whole),
  },
  key: ['id'],
})

export type StoredMedia = RowOf<typeof MEDIA>

/** The bytes of media files, apart from what is known of them so that they are read only when they are wanted. */
export const MEDIA_CONTENT = table({ name: 'media_content', columns: { id: text, bytes }, key: ['id'] })

export type StoredContent = RowOf<typeof MEDIA_CONTENT>

/** Most bytes that one file may have. */
export const MAX_MEDIA_BYTES = 64 * 1024 * 1024
