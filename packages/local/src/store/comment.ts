import { text, whole } from './kinds.ts'
import type { Table } from './rows.ts'

export const COMMENT_OBJECT_TYPES = ['TRACE', 'OBSERVATION', 'SESSION', 'PROMPT'] as const

/** A remark on an object. Times are milliseconds since 1970. */
export interface StoredComment {
  readonly id: string
  readonly objectType: (typeof COMMENT_OBJECT_TYPES)[number]
  readonly objectId: string
  readonly content: string
  readonly authorUserId: string | null
  readonly createdAt: number
}

export const COMMENTS: Table<StoredComment> = {
  name: 'comments',
  columns: { id: text, objectType: text, objectId: text, content: text, authorUserId: text, createdAt: whole },
  key: ['id'],
  indexes: ['(objectType, objectId)'],
}
