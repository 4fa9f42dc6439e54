import { json, text, whole } from './kinds.ts'
import type { Table } from './rows.ts'

export const QUEUE_STATUSES = ['PENDING', 'COMPLETED'] as const
export const QUEUE_OBJECT_TYPES = ['TRACE', 'OBSERVATION', 'SESSION'] as const

/** A queue of what people are to judge. Times are milliseconds since 1970. */
export interface StoredQueue {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly scoreConfigIds: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** One thing to judge. */
export interface StoredQueueItem {
  readonly id: string
  readonly queueId: string
  readonly objectId: string
  readonly objectType: (typeof QUEUE_OBJECT_TYPES)[number]
  readonly status: (typeof QUEUE_STATUSES)[number]
  readonly completedAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** A user who is to judge. */
export interface StoredAssignment {
  readonly queueId: string
  readonly userId: string
}

export const QUEUES: Table<StoredQueue> = {
  name: 'annotation_queues',
  columns: { id: text, name: text, description: text, scoreConfigIds: json, createdAt: whole, updatedAt: whole },
  key: ['id'],
}

export const QUEUE_ITEMS: Table<StoredQueueItem> = {
  name: 'annotation_queue_items',
  columns: {
    id: text,
    queueId: text,
    objectId: text,
    objectType: text,
    status: text,
    completedAt: whole,
    createdAt: whole,
    updatedAt: whole,
  },
  key: ['id'],
  indexes: ['(queueId)'],
}

export const ASSIGNMENTS: Table<StoredAssignment> = {
  name: 'annotation_assignments',
  columns: { queueId: text, userId: text },
  key: ['queueId', 'userId'],
}
