import { randomUUID } from 'node:crypto'
import { parseExactly } from '../../exact-json.ts'
import { type Answer, badRequest, json, notFound } from '../../http/answer.ts'
import { anything, type FieldsOf, name, optional, readFields, word } from '../../http/fields.ts'
import type { Call } from '../../http/router.ts'
import type { WriteService } from '../../service.ts'
import type { StoredDataset } from '../../store/dataset.ts'
import { currentItem, DATASET_STATUSES, type StoredItem } from '../../store/dataset-item.ts'
import type { Store } from '../../store/store.ts'
import { JSON_LIMITS, jsonBody } from '../body.ts'
import { mediaReferencesOf } from '../media/references.ts'
import { datasetNamed } from './datasets.ts'
import { itemShape } from './item-shape.ts'

const FIELDS = {
  datasetName: name,
  id: optional(name),
  input: anything,
  expectedOutput: anything,
  metadata: anything,
  sourceTraceId: optional(name),
  sourceObservationId: optional(name),
  status: optional(word(DATASET_STATUSES)),
}

type Fields = FieldsOf<typeof FIELDS>

/** `POST /api/public/dataset-items`. With an `id` that exists the item is written again; what is left out stays. */
export async function createItem(call: Call, service: WriteService): Promise<Answer> {
  const { store } = service
  const fields = readFields(await jsonBody(call, JSON_LIMITS, parseExactly), FIELDS)
  const item = store.write(() => {
    const dataset = datasetNamed(fields.datasetName, store)
    const before = fields.id === undefined ? undefined : lastVersion(fields.id, store)
    if (before && !before.deleted && before.datasetId !== dataset.id) {
      throw badRequest([{ path: ['id'], message: `belongs to an item of another dataset, ${before.datasetName}` }])
    }
    const next = nextVersion(fields, dataset, before, store)
    store.items.put(next)
    return next
  })
  return json(200, itemShape(item, mediaReferencesOf(item, call, service)))
}

/** `DELETE /api/public/dataset-items/{id}`. Reads of earlier versions still have it. */
export function deleteItem({ params }: Call, { store }: WriteService): Answer {
  store.write(() => {
    const item = currentItem(params.id ?? '', store)
    if (!item) throw notFound(`Dataset item not found: '${params.id}'`)
    store.items.put({ ...item, validFrom: nextTime(item), deleted: true })
  })
  return json(200, { message: 'Dataset item successfully deleted' })
}

function lastVersion(id: string, { items }: Store): StoredItem | undefined {
  return items.find({ sql: 'WHERE id = ? ORDER BY validFrom DESC LIMIT 1', values: [id] })[0]
}

function nextVersion(fields: Fields, { id, name }: StoredDataset, last: StoredItem | undefined, store: Store) {
  const validFrom = nextTime(last)
  const before = last?.deleted ? undefined : last
  return {
    id: fields.id ?? randomUUID(),
    validFrom,
    deleted: false,
    position: before?.position ?? nextPosition(id, store),
    datasetId: id,
    datasetName: name,
    status: fields.status ?? before?.status ?? 'ACTIVE',
    input: fields.input === undefined ? (before?.input ?? null) : fields.input,
    expectedOutput: fields.expectedOutput === undefined ? (before?.expectedOutput ?? null) : fields.expectedOutput,
    metadata: fields.metadata === undefined ? (before?.metadata ?? null) : fields.metadata,
    sourceTraceId: fields.sourceTraceId ?? before?.sourceTraceId ?? null,
    sourceObservationId: fields.sourceObservationId ?? before?.sourceObservationId ?? null,
    createdAt: before?.createdAt ?? validFrom,
  } satisfies StoredItem
}

function nextPosition(datasetId: string, { items }: Store): number {
  const [last] = items.find({ sql: 'WHERE datasetId = ? ORDER BY position DESC LIMIT 1', values: [datasetId] })
  return (last?.position ?? 0) + 1
}

// Reads name a version by its time, so each needs a time of its own, even if the clock stands still or goes back.
const nextTime = (before: StoredItem | undefined): number => Math.max(Date.now(), (before?.validFrom ?? 0) + 1)
