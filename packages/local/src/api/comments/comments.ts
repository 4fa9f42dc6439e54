import { randomUUID } from 'node:crypto'
import { type Answer, badRequest, json, notFound } from '../../http/answer.ts'
import { name, optional, readFields, text, word } from '../../http/fields.ts'
import { one, readParameters } from '../../http/parameters.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService, WriteService } from '../../service.ts'
import { COMMENT_OBJECT_TYPES, type StoredComment } from '../../store/comment.ts'
import { allOf, oneOf } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'
import { PROJECT } from '../about.ts'
import { jsonBody } from '../body.ts'
import { isoDate, known } from '../known.ts'
import { listPage, PAGE_PARAMETERS } from '../paging.ts'

/** `CreateCommentRequest` (appendix A). */
const FIELDS = {
  projectId: name,
  objectType: word(COMMENT_OBJECT_TYPES),
  objectId: name,
  content: name,
  authorUserId: optional(name),
}

/** `POST /api/public/comments`: on something that is here. */
export async function createComment(call: Call, { store }: WriteService): Promise<Answer> {
  const { projectId, authorUserId, ...fields } = readFields(await jsonBody(call), FIELDS)
  if (projectId !== PROJECT.id) {
    throw badRequest([{ path: ['projectId'], message: `expected ${PROJECT.id}, the project of the keys` }])
  }
  if (!isHere(fields, store)) throw notFound(`${fields.objectType} not found: '${fields.objectId}'`)
  const comment: StoredComment = {
    id: randomUUID(),
    ...fields,
    authorUserId: authorUserId ?? null,
    createdAt: Date.now(),
  }
  store.write(() => store.comments.put(comment))
  return json(200, { id: comment.id })
}

const PARAMETERS = {
  objectType: one(word(COMMENT_OBJECT_TYPES)),
  objectId: one(text),
  authorUserId: one(text),
  ...PAGE_PARAMETERS,
}

/** `GET /api/public/comments`, in the order in which they were written. */
export function listComments({ query }: Call, { store }: ReadService): Answer {
  const { page, limit, ...given } = readParameters(query, PARAMETERS)
  if (given.objectId && !given.objectType) {
    throw badRequest([{ path: ['objectId'], message: 'an objectId needs its objectType' }])
  }
  const wanted = Object.entries(given).flatMap(([column, value]) => (value ? [oneOf(column, [value])] : []))
  return listPage(store.comments, allOf(wanted), { page, limit }, commentShape)
}

/** `GET /api/public/comments/{commentId}` */
export function getComment({ params }: Call, { store }: WriteService): Answer {
  return json(200, commentShape(known(store.comments, params.commentId, 'Comment')))
}

/** Prompts have no id in the API: theirs are taken as they are. */
function isHere({ objectType, objectId }: Pick<StoredComment, 'objectType' | 'objectId'>, store: Store): boolean {
  const values = [objectId]
  if (objectType === 'PROMPT') return true
  if (objectType === 'TRACE') return store.traces.count({ sql: 'WHERE traceId = ?', values }) > 0
  if (objectType === 'SESSION') return store.traces.count({ sql: 'WHERE sessionId = ?', values }) > 0
  return store.query({ sql: 'SELECT 1 FROM observations WHERE id = ? LIMIT 1', values }).length > 0
}

/** `Comment` (appendix A). Comments cannot be changed. */
function commentShape({ createdAt, ...comment }: StoredComment) {
  const at = isoDate(createdAt)
  return { ...comment, projectId: PROJECT.id, createdAt: at, updatedAt: at }
}
