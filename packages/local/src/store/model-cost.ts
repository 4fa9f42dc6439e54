import type { PricingTier, StoredModel, TierCondition } from './model.ts'
import type { StoredObservation } from './observation.ts'

type Call = Pick<StoredObservation, 'model' | 'startTime' | 'usage' | 'cost' | 'modelParameters' | 'metadata'>

/** Longer names are no names of models, and are not matched. */
const MAX_NAME = 200

/** A call with what it costs by the defined models, unless its cost was sent. */
export function withDefinedCost<T extends Call>(call: T, models: readonly StoredModel[]): T {
  if (Object.keys(call.cost).length > 0) return call
  const tier = tierFor(call, definedModel(call, models))
  const kinds = Object.entries(call.usage).filter(([kind]) => tier && Object.hasOwn(tier.prices, kind))
  if (!tier || kinds.length === 0) return call
  const cost = Object.fromEntries(kinds.map(([kind, units]) => [kind, units * (tier.prices[kind] ?? 0)]))
  const total = cost.total ?? Object.values(cost).reduce((sum, usd) => sum + usd, 0)
  return { ...call, cost: { ...cost, total } }
}

/** The defined model that a call used: the one that began last, of several the one that was defined last. */
export function definedModel({ model, startTime }: Pick<Call, 'model' | 'startTime'>, models: readonly StoredModel[]) {
  if (model === null || model.length > MAX_NAME) return undefined
  const fitting = models.filter(
    ({ startDate, matchPattern }) => (startDate ?? 0) * 1_000 <= startTime && patternOf(matchPattern).test(model),
  )
  return fitting.reduce<StoredModel | undefined>(
    (best, each) => (best && (best.startDate ?? 0) > (each.startDate ?? 0) ? best : each),
    undefined,
  )
}

/** The tier whose conditions hold, by priority; else the default one. */
export function tierFor(call: Call, model: StoredModel | undefined): PricingTier | undefined {
  const tiers = [...(model?.pricingTiers ?? [])].sort((a, b) => a.priority - b.priority)
  const special = tiers.find((tier) => !tier.isDefault && tier.conditions.every((condition) => holds(condition, call)))
  return special ?? tiers.find(({ isDefault }) => isDefault)
}

/**
 * A pattern as JavaScript has it: `(?i)` at its beginning is a flag.
 *
 * @throws SyntaxError
 */
export function patternOf(pattern: string, flags = ''): RegExp {
  return pattern.startsWith('(?i)') ? new RegExp(pattern.slice(4), 'i') : new RegExp(pattern, flags)
}

function holds(condition: TierCondition, call: Call): boolean {
  if ('source' in condition) {
    const map = condition.source === 'metadata' ? call.metadata : call.modelParameters
    return Object.hasOwn(map, condition.key) && condition.values.includes(String(map[condition.key]))
  }
  const pattern = patternOf(condition.usageDetailPattern, condition.caseSensitive ? '' : 'i')
  const used = Object.entries(call.usage).reduce((sum, [kind, units]) => (pattern.test(kind) ? sum + units : sum), 0)
  return COMPARE[condition.operator](used, condition.value)
}

const COMPARE = {
  gt: (a: number, b: number) => a > b,
  gte: (a: number, b: number) => a >= b,
  lt: (a: number, b: number) => a < b,
  lte: (a: number, b: number) => a <= b,
  eq: (a: number, b: number) => a === b,
  neq: (a: number, b: number) => a !== b,
}
