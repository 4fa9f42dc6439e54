import { type Answer, json } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'
import { shapeOf } from './observation-shape.ts'
import { cursorAfter, PAGE_ORDER, readQuery } from './query.ts'

/** `GET /api/public/v2/observations`: newest first, a page at a time (contract 3.7 and 3.8). */
export function getObservations({ query }: Call, { store }: ReadService): Answer {
  const { where, groups, limit, parseIo } = readQuery(query)
  const conditions = where.length > 0 ? `WHERE ${where.map(({ sql }) => sql).join(' AND ')}` : ''
  // One more row than the limit: it shows whether there is a next page.
  const found = store.observations({
    sql: `${conditions} ${PAGE_ORDER} LIMIT ?`,
    values: [...where.flatMap(({ values }) => values), limit + 1],
  })
  const page = found.slice(0, limit)
  const models = store.definedModels()
  models.learn(page)
  const last = found.length > limit ? page.at(-1) : undefined
  return json(200, {
    data: page.map((observation) => shapeOf(observation, groups, { parseIo, models })),
    meta: last ? { cursor: cursorAfter(last) } : {},
  })
}
