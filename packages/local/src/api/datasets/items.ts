import { type Answer, json, notFound } from '../../http/answer.ts'
import { Checks } from '../../http/checks.ts'
import { timeFrom } from '../../http/parameters.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'
import { currentItem, validAt } from '../../store/dataset-item.ts'
import type { Clause } from '../../store/rows.ts'
import { mediaReferencesOf } from '../media/references.ts'
import { pageOf, readPage } from '../paging.ts'
import { datasetNamed } from './datasets.ts'
import { itemShape } from './item-shape.ts'

/** `GET /api/public/dataset-items/{id}`. */
export function getItem(call: Call, service: ReadService): Answer {
  const item = currentItem(call.params.id ?? '', service.store)
  if (!item) throw notFound(`Dataset item not found: '${call.params.id}'`)
  return json(200, itemShape(item, mediaReferencesOf(item, call, service)))
}

/** `GET /api/public/dataset-items`: in the order in which they were created, as they were at `version`. */
export function listItems(call: Call, service: ReadService): Answer {
  const { query } = call
  const { store } = service
  const checks = new Checks()
  const version = checks.attempt('version', () => timeFrom(query.get('version')), undefined)
  const page = readPage(query, checks)
  const name = query.get('datasetName')
  const where: Clause[] = [
    validAt(version),
    ...(name ? [equal('datasetId', datasetNamed(name, store).id)] : []),
    ...['sourceTraceId', 'sourceObservationId'].flatMap((column) => {
      const value = query.get(column)
      return value ? [equal(column, value)] : []
    }),
  ]
  const clause = {
    sql: `WHERE ${where.map(({ sql }) => sql).join(' AND ')}`,
    values: where.flatMap(({ values }) => values),
  }
  const { data, meta } = pageOf(store.items, clause, page, 'datasetId, position, id')
  return json(200, { data: data.map((item) => itemShape(item, mediaReferencesOf(item, call, service))), meta })
}

const equal = (column: string, value: string): Clause => ({ sql: `${column} = ?`, values: [value] })
