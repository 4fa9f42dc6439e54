import { type Answer, json, Refusal } from '../../http/answer.ts'
import type { BodyLimits } from '../../http/body.ts'
import type { Call } from '../../http/router.ts'
import { PRICES, PRICES_DATE, type Price } from '../../price/prices.ts'
import type { ReadService, WriteService } from '../../service.ts'
import type { StoredModel } from '../../store/model.ts'
import { jsonBody } from '../body.ts'
import { isoDate, known } from '../known.ts'
import { readPage, slicePage } from '../paging.ts'
import { readModel } from './read-model.ts'

/** All of them are looked at for each new name of a model. */
const MOST_MODELS = 500
const MODEL_LIMITS: BodyLimits = { wire: 16 * 1024, decoded: 16 * 1024 }

/** `POST /api/public/models`. Its prices count for calls that arrive from now on. */
export async function createModel(call: Call, { store }: WriteService): Promise<Answer> {
  const model = readModel(await jsonBody(call, MODEL_LIMITS), Date.now())
  store.write(() => {
    if (store.models.count() >= MOST_MODELS) throw new Refusal(409, `There are ${MOST_MODELS} models: delete some`)
    store.models.put(model)
  })
  return json(200, modelShape(model))
}

/** `GET /api/public/models`: those that were defined here, which count first; then the built-in ones. */
export function listModels({ query }: Call, { store }: ReadService): Answer {
  return slicePage([...store.models.find(), ...MANAGED_MODELS], readPage(query), modelShape)
}

/** `GET /api/public/models/{id}` */
export function getModel({ params }: Call, { store }: WriteService): Answer {
  return json(200, modelShape(managedModel(params.id) ?? known(store.models, params.id, 'Model')))
}

/** `DELETE /api/public/models/{id}`. What calls have cost stays. @throws Refusal 403 for a built-in one. */
export function deleteModel({ params }: Call, { store }: WriteService): Answer {
  if (managedModel(params.id)) {
    throw new Refusal(403, `Model '${params.id}' is built in: create one of the same name, which counts first`)
  }
  const { id } = known(store.models, params.id, 'Model')
  store.write(() => store.models.remove({ sql: 'WHERE id = ?', values: [id] }))
  return { status: 204 }
}

const managedModel = (id: string | undefined) => MANAGED_MODELS.find((model) => model.id === id)

/** `Model` (appendix A). */
function modelShape(stored: StoredModel) {
  const { startDate, createdAt, ...model } = stored
  const standard = model.pricingTiers.find(({ isDefault }) => isDefault)
  const prices = Object.entries(standard?.prices ?? {}).map(([kind, price]) => [kind, { price }])
  return {
    ...model,
    startDate: startDate === null ? null : isoDate(startDate),
    isSvcManaged: MANAGED_MODELS.includes(stored),
    createdAt: isoDate(createdAt),
    prices: Object.fromEntries(prices),
  }
}

const MILLION = 1_000_000
/** Names under which instrumentations count input that came from the cache, or was written to it. */
const CACHED = ['input_cached_tokens', 'input_cache_read', 'cache_read_input_tokens']
const WRITTEN = ['input_cache_creation', 'cache_creation_input_tokens']

/** The built-in prices as the models of the API, in the order of the table. */
const MANAGED_MODELS: readonly StoredModel[] = PRICES.map((price) => {
  const [input, output] = [price.input / MILLION, price.output / MILLION]
  return {
    id: `svc-${price.modelName}`,
    modelName: price.modelName,
    matchPattern: `(?i)${price.pattern}`,
    startDate: null,
    unit: 'TOKENS',
    inputPrice: input,
    outputPrice: output,
    totalPrice: null,
    pricingTiers: [
      {
        id: `svc-${price.modelName}-standard`,
        name: 'Standard',
        isDefault: true,
        priority: 0,
        conditions: [],
        prices: { input, output, ...pricesOf(price) },
      },
    ],
    tokenizerId: null,
    tokenizerConfig: null,
    createdAt: Date.parse(PRICES_DATE),
  }
})

function pricesOf({ cached, written }: Price): Readonly<Record<string, number>> {
  const prices = (kinds: readonly string[], price: number | undefined) =>
    price === undefined ? [] : kinds.map((kind) => [kind, price / MILLION])
  return Object.fromEntries([...prices(CACHED, cached), ...prices(WRITTEN, written)])
}
