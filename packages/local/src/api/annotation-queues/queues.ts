import { randomUUID } from 'node:crypto'
import { type Answer, badRequest, json, notFound } from '../../http/answer.ts'
import { name, optional, readFields, text, texts } from '../../http/fields.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService, WriteService } from '../../service.ts'
import type { StoredQueue } from '../../store/annotation-queue.ts'
import { allOf } from '../../store/rows.ts'
import { PROJECT } from '../about.ts'
import { jsonBody } from '../body.ts'
import { isoDate, known } from '../known.ts'
import { listPage, readPage } from '../paging.ts'

/** `CreateAnnotationQueueRequest` (appendix A). */
const FIELDS = { name, description: optional(text), scoreConfigIds: texts }

/** `POST /api/public/annotation-queues`: a name that no other queue has, and score configurations that are here. */
export async function createQueue(call: Call, { store }: WriteService): Promise<Answer> {
  const { name, description, scoreConfigIds } = readFields(await jsonBody(call), FIELDS)
  const now = Date.now()
  const times = { createdAt: now, updatedAt: now }
  const queue: StoredQueue = { id: randomUUID(), name, description: description ?? null, scoreConfigIds, ...times }
  store.write(() => {
    if (store.queues.one({ name })) throw badRequest([{ path: ['name'], message: 'another queue has this name' }])
    const unknown = scoreConfigIds.find((id) => !store.scoreConfigs.one({ id }))
    if (unknown !== undefined) {
      throw badRequest([{ path: ['scoreConfigIds'], message: `there is no score config ${unknown}` }])
    }
    if (scoreConfigIds.length === 0) {
      throw badRequest([{ path: ['scoreConfigIds'], message: 'expected at least one score config' }])
    }
    store.queues.put(queue)
  })
  return json(200, queueShape(queue))
}

/** `GET /api/public/annotation-queues`, in the order in which they were created. */
export function listQueues({ query }: Call, { store }: ReadService): Answer {
  return listPage(store.queues, allOf([]), readPage(query), queueShape)
}

/** `GET /api/public/annotation-queues/{queueId}` */
export function getQueue({ params }: Call, { store }: WriteService): Answer {
  return json(200, queueShape(known(store.queues, params.queueId, 'Annotation queue')))
}

/** `AnnotationQueueAssignmentRequest` (appendix A). */
const ASSIGNMENT_FIELDS = { userId: name }

/** `POST /api/public/annotation-queues/{queueId}/assignments`. Here are no users: any id will do. */
export async function assignQueue(call: Call, { store }: WriteService): Promise<Answer> {
  const { userId } = readFields(await jsonBody(call), ASSIGNMENT_FIELDS)
  const { id: queueId } = known(store.queues, call.params.queueId, 'Annotation queue')
  store.write(() => store.assignments.put({ queueId, userId }))
  return json(200, { userId, queueId, projectId: PROJECT.id })
}

/** `DELETE /api/public/annotation-queues/{queueId}/assignments` */
export async function unassignQueue(call: Call, { store }: WriteService): Promise<Answer> {
  const { userId } = readFields(await jsonBody(call), ASSIGNMENT_FIELDS)
  const { id: queueId } = known(store.queues, call.params.queueId, 'Annotation queue')
  const removed = store.write(() =>
    store.assignments.remove({ sql: 'WHERE queueId = ? AND userId = ?', values: [queueId, userId] }),
  )
  if (removed === 0) throw notFound(`Assignment not found: '${userId}'`)
  return json(200, { success: true })
}

/** `AnnotationQueue` (appendix A). */
function queueShape({ createdAt, updatedAt, ...queue }: StoredQueue) {
  return { ...queue, createdAt: isoDate(createdAt), updatedAt: isoDate(updatedAt) }
}
