import { type Answer, json } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { Service } from '../../service.ts'
import type { StoredModel } from '../../store/model.ts'
import { jsonBody } from '../body.ts'
import { isoDate, known } from '../known.ts'
import { pageOf, readPage } from '../paging.ts'
import { readModel } from './read-model.ts'

/** `POST /api/public/models`. Calls that arrive from now on cost what it says. */
export async function createModel(call: Call, { store }: Service): Promise<Answer> {
  const model = readModel(await jsonBody(call), Date.now())
  store.write(() => store.models.put(model))
  return json(200, modelShape(model))
}

/** `GET /api/public/models`: those that were defined here, in that order. */
export function listModels({ query }: Call, { store }: Service): Answer {
  const { data, meta } = pageOf(store.models, { sql: '', values: [] }, readPage(query))
  return json(200, { data: data.map(modelShape), meta })
}

/** `GET /api/public/models/{id}` */
export function getModel({ params }: Call, { store }: Service): Answer {
  return json(200, modelShape(known(store.models, params.id, 'Model')))
}

/** `DELETE /api/public/models/{id}`. What calls have cost stays. */
export function deleteModel({ params }: Call, { store }: Service): Answer {
  const { id } = known(store.models, params.id, 'Model')
  store.write(() => store.models.remove({ sql: 'WHERE id = ?', values: [id] }))
  return { status: 204 }
}

/** `Model` (appendix A). */
function modelShape({ startDate, createdAt, ...model }: StoredModel) {
  const standard = model.pricingTiers.find(({ isDefault }) => isDefault)
  const prices = Object.entries(standard?.prices ?? {}).map(([kind, price]) => [kind, { price }])
  return {
    ...model,
    startDate: startDate === null ? null : isoDate(startDate),
    isSvcManaged: false,
    createdAt: isoDate(createdAt),
    prices: Object.fromEntries(prices),
  }
}
