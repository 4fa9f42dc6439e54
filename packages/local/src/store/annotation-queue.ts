import { orNull, text, texts, whole, word } from './kinds.ts'
import { type RowOf, table } from './rows.ts'

export const QUEUE_STATUSES = ['PENDING', 'COMPLETED'] as const
export const QUEUE_OBJECT_TYPES = ['TRACE', 'OBSERVATION', 'SESSION'] as const

/** Times are milliseconds since 1970. */
export const QUEUES = table({
  name: 'annotation_queues',
  columns: {
    id: text,
    name: text,
    description: orNull(text),
    scoreConfigIds: texts,
    createdAt: whole,
    updatedAt: whole,
  },
  key: ['id'],
})

/** A queue of what people are to judge. */
export type StoredQueue = RowOf<typeof QUEUES>

/** Times are milliseconds since 1970. */
export const QUEUE_ITEMS = table({
  name: 'annotation_queue_items',
  columns: {
    id: text,
    queueId: text,
    objectId: text,
    objectType: word(QUEUE_OBJECT_TYPES),
    status: word(QUEUE_STATUSES),
    completedAt: orNull(whole),
    createdAt: whole,
    updatedAt: whole,
  },
  key: ['id'],
  indexes: ['(queueId)'],
})

/** One thing to judge. */
export type StoredQueueItem = RowOf<typeof QUEUE_ITEMS>

export const ASSIGNMENTS = table({
  name: 'annotation_assignments',
  columns: { queueId: text, userId: text },
  key: ['queueId', 'userId'],
})

/** A user who is to judge. */
export type StoredAssignment = RowOf<typeof ASSIGNMENTS>
