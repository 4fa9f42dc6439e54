import type { PageOf, PageRequest, ValueOf } from './pages.ts'

export const AnnotationQueueStatus = { Pending: 'PENDING', Completed: 'COMPLETED' } as const
export type AnnotationQueueStatus = ValueOf<typeof AnnotationQueueStatus>

export const AnnotationQueueObjectType = { Trace: 'TRACE', Observation: 'OBSERVATION', Session: 'SESSION' } as const
export type AnnotationQueueObjectType = ValueOf<typeof AnnotationQueueObjectType>

/** A queue of objects for human annotation, and the score configurations to use. */
export interface AnnotationQueue {
  id: string
  name: string
  description: string | null
  scoreConfigIds: string[]
  createdAt: string
  updatedAt: string
}

/** An object to annotate: the trace, observation or session `objectId`. */
export interface AnnotationQueueItem {
  id: string
  queueId: string
  objectId: string
  objectType: AnnotationQueueObjectType
  status: AnnotationQueueStatus
  completedAt?: string
  createdAt: string
  updatedAt: string
}

export type PaginatedAnnotationQueues = PageOf<AnnotationQueue>

export type PaginatedAnnotationQueueItems = PageOf<AnnotationQueueItem>

export interface CreateAnnotationQueueRequest {
  name: string
  description?: string | null | undefined
  scoreConfigIds: readonly string[]
}

export interface CreateAnnotationQueueItemRequest {
  objectId: string
  objectType: AnnotationQueueObjectType
  status?: AnnotationQueueStatus | undefined
}

export interface UpdateAnnotationQueueItemRequest {
  status?: AnnotationQueueStatus | undefined
}

export interface DeleteAnnotationQueueItemResponse {
  success: boolean
  message: string
}

export interface AnnotationQueueAssignmentRequest {
  userId: string
}

export interface DeleteAnnotationQueueAssignmentResponse {
  success: boolean
}

export interface CreateAnnotationQueueAssignmentResponse {
  userId: string
  queueId: string
  projectId: string
}

export interface ListAnnotationQueueItemsRequest extends PageRequest {
  status?: AnnotationQueueStatus | undefined
}
