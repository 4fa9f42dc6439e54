import { type Answer, json, notFound } from '../../http/answer.ts'
import { date, text } from '../../http/fields.ts'
import { one, readParameters } from '../../http/parameters.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'
import { currentItem, type StoredItem, validAt } from '../../store/dataset-item.ts'
import { allOf, oneOf } from '../../store/rows.ts'
import { mediaReferencesOf } from '../media/references.ts'
import { listPage, PAGE_PARAMETERS } from '../paging.ts'
import { datasetNamed } from './datasets.ts'
import { itemShape } from './item-shape.ts'

/** `GET /api/public/dataset-items/{id}`. */
export function getItem(call: Call, service: ReadService): Answer {
  const item = currentItem(call.params.id ?? '', service.store)
  if (!item) throw notFound(`Dataset item not found: '${call.params.id}'`)
  return json(200, itemShape(item, mediaReferencesOf(item, call, service)))
}

const PARAMETERS = {
  version: one(date),
  datasetName: one(text),
  sourceTraceId: one(text),
  sourceObservationId: one(text),
  ...PAGE_PARAMETERS,
}

/** `GET /api/public/dataset-items`: in the order in which they were created, as they were at `version`. */
export function listItems(call: Call, service: ReadService): Answer {
  const { query } = call
  const { store } = service
  const { version, datasetName, page, limit, ...sources } = readParameters(query, PARAMETERS)
  const where = allOf([
    validAt(version),
    ...(datasetName ? [oneOf('datasetId', [datasetNamed(datasetName, store).id])] : []),
    ...Object.entries(sources).flatMap(([column, value]) => (value ? [oneOf(column, [value])] : [])),
  ])
  const shape = (item: StoredItem) => itemShape(item, mediaReferencesOf(item, call, service))
  return listPage(store.items, where, { page, limit }, shape, 'datasetId, position, id')
}
