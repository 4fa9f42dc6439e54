import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { Checks, ValidationError } from '../../http/checks.ts'
import {
  anything,
  attemptFields,
  date,
  type FieldsOf,
  finite,
  flag,
  listOf,
  name,
  objectOf,
  optional,
  record,
  type Schema,
  text,
  whole,
  word,
} from '../../http/fields.ts'
import type { PricingTier, StoredModel, TierCondition } from '../../store/model.ts'
import { patternIssue } from '../../store/pattern.ts'

/** US dollars by kind of usage. */
const prices: Schema<Readonly<Record<string, number>>> = v.pipe(
  record,
  v.check((map) => Object.keys(map).length > 0, 'expected at least one price'),
  v.record(v.string(), finite),
)

const usageCondition = objectOf({
  usageDetailPattern: name,
  operator: word(['gt', 'gte', 'lt', 'lte', 'eq', 'neq']),
  value: finite,
  caseSensitive: v.pipe(
    optional(flag),
    v.transform((given) => given ?? false),
  ),
})

const attributeCondition = objectOf({
  source: word(['model_parameters', 'metadata']),
  key: name,
  operator: word(['in']),
  values: listOf(text),
})

const condition = v.lazy(
  (raw): Schema<TierCondition> =>
    typeof raw === 'object' && raw !== null && 'source' in raw ? attributeCondition : usageCondition,
)

const tier: Schema<Omit<PricingTier, 'id'>> = objectOf({
  name,
  isDefault: flag,
  priority: whole,
  conditions: listOf(condition),
  prices,
})

/** `CreateModelRequest` (appendix A). */
const FIELDS = {
  modelName: name,
  matchPattern: name,
  startDate: optional(date),
  unit: optional(word(['CHARACTERS', 'TOKENS', 'MILLISECONDS', 'SECONDS', 'IMAGES', 'REQUESTS'])),
  inputPrice: optional(finite),
  outputPrice: optional(finite),
  totalPrice: optional(finite),
  pricingTiers: optional(listOf(tier)),
  tokenizerId: optional(text),
  tokenizerConfig: anything,
}

type Fields = FieldsOf<typeof FIELDS>

/** A model as it is stored. @throws Refusal 400 with everything that does not fit. */
export function readModel(body: unknown, now: number): StoredModel {
  const checks = new Checks()
  const fields = attemptFields(body, FIELDS, checks)
  checks.finish()
  checks.attempt('matchPattern', () => checkPatterns([fields.matchPattern]), undefined)
  checks.attempt('pricingTiers', () => checkPatterns(conditionPatterns(fields)), undefined)
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

function checkPatterns(sources: readonly string[]): void {
  const issue = patternIssue(...sources)
  if (issue !== undefined) throw new ValidationError(issue)
}

const conditionPatterns = ({ pricingTiers = [] }: Fields): string[] =>
  pricingTiers.flatMap(({ conditions }) =>
    conditions.flatMap((each) => ('source' in each ? [] : [each.usageDetailPattern])),
  )

function checkTotal({ inputPrice, outputPrice, totalPrice }: Fields): void {
  if (totalPrice !== undefined && (inputPrice ?? outputPrice) !== undefined) {
    throw new ValidationError('a total price stands alone: leave inputPrice and outputPrice out')
  }
}

function checkTiers({ pricingTiers: tiers, inputPrice, outputPrice, totalPrice }: Fields): void {
  if (tiers === undefined) return
  if ((inputPrice ?? outputPrice ?? totalPrice) !== undefined) {
    throw new ValidationError('send either tiers or inputPrice, outputPrice and totalPrice')
  }
  const [standard, ...others] = tiers.filter(({ isDefault }) => isDefault)
  if (!standard || others.length > 0 || standard.priority !== 0 || standard.conditions.length > 0) {
    throw new ValidationError('exactly one tier is the default one, with priority 0 and without conditions')
  }
  const unique = (values: readonly unknown[]) => new Set(values).size === values.length
  if (!unique(tiers.map((each) => each.name)) || !unique(tiers.map((each) => each.priority))) {
    throw new ValidationError('each tier needs a name and a priority of its own')
  }
}
