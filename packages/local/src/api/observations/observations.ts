import { type Answer, json } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'
import type { SavedObservation } from '../../store/columns.ts'
import { cursorPage } from '../cursor.ts'
import { shapeOf } from './observation-shape.ts'
import { readQuery } from './query.ts'

/** `GET /api/public/v2/observations`: newest first, a page at a time (contract 3.7 and 3.8). */
export function getObservations({ query }: Call, { store }: ReadService): Answer {
  const { groups, parseIo, ...listing } = readQuery(query)
  const { rows, next } = cursorPage<SavedObservation>({ ...listing, by: ['startTime', 'traceId', 'id'] }, (clause) =>
    store.observations(clause),
  )
  const models = store.definedModels()
  models.learn(rows)
  return json(200, { data: rows.map((each) => shapeOf(each, groups, { parseIo, models })), meta: next })
}
