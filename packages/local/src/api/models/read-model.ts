import { randomUUID } from 'node:crypto'
import { Checks, Unfit } from '../../http/checks.ts'
import type { PricingTier, StoredModel, TierCondition } from '../../store/model.ts'
import { patternOf } from '../../store/model-cost.ts'
import {
  anything,
  attemptFields,
  date,
  finite,
  flag,
  listOf,
  name,
  objectOf,
  optional,
  type Reader,
  record,
  text,
  whole,
  word,
} from '../body.ts'

const pattern: Reader<string> = (raw) => {
  const source = name(raw)
  try {
    patternOf(source)
    return source
  } catch {
    throw new Unfit('expected a regular expression, such as (?i)^(gpt-4.1)$')
  }
}

/** US dollars by kind of usage. */
const prices: Reader<Readonly<Record<string, number>>> = (raw) => {
  const map = record(raw)
  if (Object.keys(map).length === 0) throw new Unfit('expected at least one price')
  return objectOf(Object.fromEntries(Object.keys(map).map((kind) => [kind, finite])))(raw)
}

const condition: Reader<TierCondition> = (raw) =>
  'source' in record(raw) ? attributeCondition(raw) : usageCondition(raw)

const usageCondition: Reader<TierCondition> = objectOf({
  usageDetailPattern: pattern,
  operator: word(['gt', 'gte', 'lt', 'lte', 'eq', 'neq']),
  value: finite,
  caseSensitive: (raw: unknown) => optional(flag)(raw) ?? false,
})

const attributeCondition: Reader<TierCondition> = objectOf({
  source: word(['model_parameters', 'metadata']),
  key: name,
  operator: word(['in']),
  values: listOf(text),
})

const tier: Reader<Omit<PricingTier, 'id'>> = objectOf({
  name,
  isDefault: flag,
  priority: whole,
  conditions: listOf(condition),
  prices,
})

/** `CreateModelRequest` (appendix A). */
const FIELDS = {
  modelName: name,
  matchPattern: pattern,
  startDate: optional(date),
  unit: optional(word(['CHARACTERS', 'TOKENS', 'MILLISECONDS', 'SECONDS', 'IMAGES', 'REQUESTS'])),
  inputPrice: optional(finite),
  outputPrice: optional(finite),
  totalPrice: optional(finite),
  pricingTiers: optional(listOf(tier)),
  tokenizerId: optional(text),
  tokenizerConfig: anything,
}

type Fields = { readonly [K in keyof typeof FIELDS]: ReturnType<(typeof FIELDS)[K]> }

/** A model as it is stored. @throws Refusal 400 with everything that does not fit. */
export function readModel(body: unknown, now: number): StoredModel {
  const checks = new Checks()
  const fields = attemptFields<Fields>(body, FIELDS, checks)
  checks.finish()
  checks.attempt('pricingTiers', () => checkTiers(fields), undefined)
  checks.attempt('totalPrice', () => checkTotal(fields), undefined)
  checks.finish()
  const { startDate, unit, inputPrice, outputPrice, totalPrice, tokenizerId, tokenizerConfig } = fields
  const tiers = fields.pricingTiers ?? flatTier(fields)
  return {
    id: randomUUID(),
    modelName: fields.modelName,
    matchPattern: fields.matchPattern,
    startDate: startDate ?? null,
    unit: unit ?? null,
    inputPrice: inputPrice ?? null,
    outputPrice: outputPrice ?? null,
    totalPrice: totalPrice ?? null,
    pricingTiers: tiers.map((each) => ({ id: randomUUID(), ...each })),
    tokenizerId: tokenizerId ?? null,
    tokenizerConfig: tokenizerConfig ?? null,
    createdAt: now,
  }
}

/** Prices that are named one by one are those of the default tier. */
function flatTier({ inputPrice: input, outputPrice: output, totalPrice: total }: Fields): Omit<PricingTier, 'id'>[] {
  const given = Object.entries({ input, output, total }).filter(
    (entry): entry is [string, number] => entry[1] !== undefined,
  )
  if (given.length === 0) return []
  return [{ name: 'Standard', isDefault: true, priority: 0, conditions: [], prices: Object.fromEntries(given) }]
}

function checkTotal({ inputPrice, outputPrice, totalPrice }: Fields): void {
  if (totalPrice !== undefined && (inputPrice ?? outputPrice) !== undefined) {
    throw new Unfit('a total price stands alone: leave inputPrice and outputPrice out')
  }
}

function checkTiers({ pricingTiers: tiers, inputPrice, outputPrice, totalPrice }: Fields): void {
  if (tiers === undefined) return
  if ((inputPrice ?? outputPrice ?? totalPrice) !== undefined) {
    throw new Unfit('send either tiers or inputPrice, outputPrice and totalPrice')
  }
  const [standard, ...others] = tiers.filter(({ isDefault }) => isDefault)
  if (!standard || others.length > 0 || standard.priority !== 0 || standard.conditions.length > 0) {
    throw new Unfit('exactly one tier is the default one, with priority 0 and without conditions')
  }
  const unique = (values: readonly unknown[]) => new Set(values).size === values.length
  if (!unique(tiers.map((each) => each.name)) || !unique(tiers.map((each) => each.priority))) {
    throw new Unfit('each tier needs a name and a priority of its own')
  }
}
