import { randomUUID } from 'node:crypto'
import { type Answer, json } from '../../http/answer.ts'
import { Checks, ValidationError } from '../../http/checks.ts'
import { finite, flag, listOf, name, objectOf, optional, readFields, text, word } from '../../http/fields.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService, WriteService } from '../../service.ts'
import { allOf } from '../../store/rows.ts'
import { CONFIG_DATA_TYPES, type StoredScoreConfig } from '../../store/score-config.ts'
import { PROJECT } from '../about.ts'
import { jsonBody } from '../body.ts'
import { isoDate, known } from '../known.ts'
import { listPage, readPage } from '../paging.ts'

const categories = optional(listOf(objectOf({ value: finite, label: name })))

/** `CreateScoreConfigRequest` (appendix A). */
const CREATE_FIELDS = {
  name,
  dataType: word(CONFIG_DATA_TYPES),
  categories,
  minValue: optional(finite),
  maxValue: optional(finite),
  description: optional(text),
}

/** `UpdateScoreConfigRequest` (appendix A). */
const UPDATE_FIELDS = {
  name: optional(name),
  isArchived: optional(flag),
  categories,
  minValue: optional(finite),
  maxValue: optional(finite),
  description: optional(text),
}

const TRUTH = [
  { value: 1, label: 'True' },
  { value: 0, label: 'False' },
]

/** `POST /api/public/score-configs` */
export async function createScoreConfig(call: Call, { store }: WriteService): Promise<Answer> {
  const { name, dataType, ...fields } = readFields(await jsonBody(call), CREATE_FIELDS)
  const now = Date.now()
  const config = checked({
    id: randomUUID(),
    name,
    dataType,
    isArchived: false,
    minValue: fields.minValue ?? null,
    maxValue: fields.maxValue ?? null,
    categories: fields.categories ?? null,
    description: fields.description ?? null,
    createdAt: now,
    updatedAt: now,
  })
  const stored = dataType === 'BOOLEAN' ? { ...config, categories: TRUTH } : config
  store.write(() => store.scoreConfigs.put(stored))
  return json(200, configShape(stored))
}

/** `PATCH /api/public/score-configs/{configId}`: what is left out stays. */
export async function updateScoreConfig(call: Call, { store }: WriteService): Promise<Answer> {
  const fields = readFields(await jsonBody(call), UPDATE_FIELDS)
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const changed = store.write(() => {
    const before = known(store.scoreConfigs, call.params.configId, 'Score config')
    const isTruth = before.dataType === 'BOOLEAN' && fields.categories === undefined
    const config = checked({ ...before, ...(isTruth ? { categories: null } : {}), ...given, updatedAt: Date.now() })
    const stored = isTruth ? { ...config, categories: TRUTH } : config
    store.scoreConfigs.put(stored)
    return stored
  })
  return json(200, configShape(changed))
}

/** `GET /api/public/score-configs`, in the order in which they were created. */
export function listScoreConfigs({ query }: Call, { store }: ReadService): Answer {
  return listPage(store.scoreConfigs, allOf([]), readPage(query), configShape)
}

/** `GET /api/public/score-configs/{configId}` */
export function getScoreConfig({ params }: Call, { store }: WriteService): Answer {
  return json(200, configShape(known(store.scoreConfigs, params.configId, 'Score config')))
}

/** @throws Refusal 400 when its limits or categories do not go with its data type. */
function checked(config: StoredScoreConfig): StoredScoreConfig {
  const { dataType, minValue, maxValue, categories } = config
  const checks = new Checks()
  checks.attempt(
    'minValue',
    () => {
      if (minValue === null && maxValue === null) return
      if (dataType !== 'NUMERIC')
        throw new ValidationError(`minValue and maxValue need the dataType NUMERIC, not ${dataType}`)
      if (minValue !== null && maxValue !== null && minValue >= maxValue)
        throw new ValidationError('expected less than maxValue')
    },
    undefined,
  )
  checks.attempt(
    'categories',
    () => {
      if (dataType !== 'CATEGORICAL') {
        if (categories !== null) throw new ValidationError(`categories need the dataType CATEGORICAL, not ${dataType}`)
        return
      }
      if (categories === null || categories.length === 0)
        throw new ValidationError('a CATEGORICAL config needs categories')
      const unique = (values: readonly unknown[]) => new Set(values).size === values.length
      if (!unique(categories.map(({ label }) => label)) || !unique(categories.map(({ value }) => value))) {
        throw new ValidationError('each category needs a label and a value of its own')
      }
    },
    undefined,
  )
  checks.finish()
  return config
}

/** `ScoreConfig` (appendix A). */
function configShape({ categories, createdAt, updatedAt, ...config }: StoredScoreConfig) {
  return {
    ...config,
    projectId: PROJECT.id,
    ...(categories === null ? {} : { categories }),
    createdAt: isoDate(createdAt),
    updatedAt: isoDate(updatedAt),
  }
}
