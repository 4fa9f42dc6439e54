import { jsonOf, orNull, text, whole } from './kinds.ts'
import { type RowOf, table } from './rows.ts'

export const PROJECTS = table({
  name: 'projects',
  columns: {
    id: text,
    name: text,
    metadata: jsonOf<Readonly<Record<string, unknown>>>(),
    /** 0: data is kept. */
    retentionDays: whole,
  },
  key: ['id'],
})

/** A project beside the one that the data belongs to, or what was changed of that one. */
export type StoredProject = RowOf<typeof PROJECTS>

export const API_KEYS = table({
  name: 'api_keys',
  columns: {
    id: text,
    projectId: text,
    publicKey: text,
    /** SHA-256 of the secret key in hex: the key itself is returned once. */
    secretHash: text,
    displaySecretKey: text,
    note: orNull(text),
    /** Milliseconds since 1970. */
    createdAt: whole,
  },
  key: ['publicKey'],
})

/** A pair of keys beside those that the service was started with. */
export type StoredApiKey = RowOf<typeof API_KEYS>
