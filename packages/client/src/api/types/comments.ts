import type { PageOf, PageRequest, ValueOf } from './pages.ts'

/** `objectType` is one of {@link CommentObjectType}. */
export interface CreateCommentRequest {
  projectId: string
  objectType: string
  objectId: string
  content: string
  authorUserId?: string | undefined
}

export interface CreateCommentResponse {
  id: string
}

export type GetCommentsResponse = PageOf<Comment>

/** A comment of a user on the object `objectId`. */
export interface Comment {
  id: string
  projectId: string
  createdAt: string
  updatedAt: string
  objectType: CommentObjectType
  objectId: string
  content: string
  authorUserId?: string | null
}

export const CommentObjectType = {
  Trace: 'TRACE',
  Observation: 'OBSERVATION',
  Session: 'SESSION',
  Prompt: 'PROMPT',
} as const
export type CommentObjectType = ValueOf<typeof CommentObjectType>

export interface GetCommentsRequest extends PageRequest {
  objectType?: CommentObjectType | undefined
  objectId?: string | undefined
  authorUserId?: string | undefined
}
