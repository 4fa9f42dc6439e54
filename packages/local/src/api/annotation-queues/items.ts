import { randomUUID } from 'node:crypto'
import { type Answer, json, notFound } from '../../http/answer.ts'
import { name, optional, readFields, word } from '../../http/fields.ts'
import { one, readParameters } from '../../http/parameters.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService, WriteService } from '../../service.ts'
import { QUEUE_OBJECT_TYPES, QUEUE_STATUSES, type StoredQueueItem } from '../../store/annotation-queue.ts'
import { allOf, oneOf } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'
import { jsonBody } from '../body.ts'
import { isoDate, known } from '../known.ts'
import { listPage, PAGE_PARAMETERS } from '../paging.ts'

/** `CreateAnnotationQueueItemRequest` (appendix A). */
const CREATE_FIELDS = {
  objectId: name,
  objectType: word(QUEUE_OBJECT_TYPES),
  status: optional(word(QUEUE_STATUSES)),
}

/** `POST /api/public/annotation-queues/{queueId}/items` */
export async function createQueueItem(call: Call, { store }: WriteService): Promise<Answer> {
  const { status = 'PENDING', ...fields } = readFields(await jsonBody(call), CREATE_FIELDS)
  const { id: queueId } = known(store.queues, call.params.queueId, 'Annotation queue')
  const now = Date.now()
  const completedAt = status === 'COMPLETED' ? now : null
  const item: StoredQueueItem = {
    id: randomUUID(),
    queueId,
    ...fields,
    status,
    completedAt,
    createdAt: now,
    updatedAt: now,
  }
  store.write(() => store.queueItems.put(item))
  return json(200, itemShape(item))
}

/** `UpdateAnnotationQueueItemRequest` (appendix A). */
const UPDATE_FIELDS = { status: optional(word(QUEUE_STATUSES)) }

/** `PATCH /api/public/annotation-queues/{queueId}/items/{itemId}` */
export async function updateQueueItem(call: Call, { store }: WriteService): Promise<Answer> {
  const { status } = readFields(await jsonBody(call), UPDATE_FIELDS)
  const changed = store.write(() => {
    const before = itemOf(call, store)
    const now = Date.now()
    const completedAt = status === 'COMPLETED' ? now : null
    const item = status === undefined ? before : { ...before, status, completedAt, updatedAt: now }
    store.queueItems.put(item)
    return item
  })
  return json(200, itemShape(changed))
}

/** `GET /api/public/annotation-queues/{queueId}/items`, in the order in which they were added. */
export function listQueueItems({ params, query }: Call, { store }: ReadService): Answer {
  const { id } = known(store.queues, params.queueId, 'Annotation queue')
  const { status, ...page } = readParameters(query, { status: one(word(QUEUE_STATUSES)), ...PAGE_PARAMETERS })
  const where = allOf([oneOf('queueId', [id]), ...(status ? [oneOf('status', [status])] : [])])
  return listPage(store.queueItems, where, page, itemShape)
}

/** `GET /api/public/annotation-queues/{queueId}/items/{itemId}` */
export function getQueueItem(call: Call, { store }: WriteService): Answer {
  return json(200, itemShape(itemOf(call, store)))
}

/** `DELETE /api/public/annotation-queues/{queueId}/items/{itemId}` */
export function deleteQueueItem(call: Call, { store }: WriteService): Answer {
  store.write(() => store.queueItems.remove({ sql: 'WHERE id = ?', values: [itemOf(call, store).id] }))
  return json(200, { success: true, message: 'Annotation queue item deleted successfully' })
}

/** @throws Refusal 404 when there is no such queue, or no such item in it. */
function itemOf({ params }: Call, { queues, queueItems }: Store): StoredQueueItem {
  const queue = known(queues, params.queueId, 'Annotation queue')
  const item = known(queueItems, params.itemId, 'Annotation queue item')
  if (item.queueId !== queue.id) throw notFound(`Annotation queue item not found: '${params.itemId}'`)
  return item
}

/** `AnnotationQueueItem` (appendix A). */
function itemShape({ completedAt, createdAt, updatedAt, ...item }: StoredQueueItem) {
  const times = { createdAt: isoDate(createdAt), updatedAt: isoDate(updatedAt) }
  return { ...item, ...(completedAt === null ? {} : { completedAt: isoDate(completedAt) }), ...times }
}
