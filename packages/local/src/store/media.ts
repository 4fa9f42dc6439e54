import type { Bytes } from '@svc/core/bytes'
import { bytes, text, whole } from './kinds.ts'
import type { Table } from './rows.ts'

/** A media file, uploaded or not. Times are milliseconds since 1970. */
export interface StoredMedia {
  /** First 22 characters of the URL-safe base64 of the hash (contract 1.8). */
  readonly id: string
  readonly contentType: string
  readonly contentLength: number
  /** SHA-256 in base64. */
  readonly sha256Hash: string
  /** The time of the upload as the client reports it, else of the arrival of the bytes. */
  readonly uploadedAt: number | null
}

/** The bytes of a media file, apart from what is known of it so that they are read only when they are wanted. */
export interface StoredContent {
  readonly id: string
  readonly bytes: Bytes
}

export const MEDIA: Table<StoredMedia> = {
  name: 'media',
  columns: { id: text, contentType: text, contentLength: whole, sha256Hash: text, uploadedAt: whole },
  key: ['id'],
}

export const MEDIA_CONTENT: Table<StoredContent> = {
  name: 'media_content',
  columns: { id: text, bytes },
  key: ['id'],
}

/** Most bytes that one file may have. */
export const MAX_MEDIA_BYTES = 64 * 1024 * 1024
