import { orNull, text, whole, word } from './kinds.ts'
import { type RowOf, table } from './rows.ts'

export const COMMENT_OBJECT_TYPES = ['TRACE', 'OBSERVATION', 'SESSION', 'PROMPT'] as const

/** Times are milliseconds since 1970. */
export const COMMENTS = table({
  name: 'comments',
  columns: {
    id: text,
    objectType: word(COMMENT_OBJECT_TYPES),
    objectId: text,
    content: text,
    authorUserId: orNull(text),
    createdAt: whole,
  },
  key: ['id'],
  indexes: ['(objectType, objectId)'],
})

/** A remark on an object. */
export type StoredComment = RowOf<typeof COMMENTS>
