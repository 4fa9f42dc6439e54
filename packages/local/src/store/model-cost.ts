import { conditionPattern, type DefinedModels } from './defined-models.ts'
import type { PricingTier, StoredModel, TierCondition } from './model.ts'
import type { StoredObservation } from './observation.ts'

type Call = Pick<StoredObservation, 'model' | 'startTime' | 'usage' | 'cost' | 'modelParameters' | 'metadata'>

/** A call with what it costs by the defined models, unless its cost was sent. */
export function withDefinedCost<T extends Call>(call: T, models: DefinedModels): T {
  if (Object.keys(call.cost).length > 0) return call
  const tier = tierFor(call, definedModel(call, models), models)
  const kinds = Object.entries(call.usage).filter(([kind]) => tier && Object.hasOwn(tier.prices, kind))
  if (!tier || kinds.length === 0) return call
  const cost = Object.fromEntries(kinds.map(([kind, units]) => [kind, units * (tier.prices[kind] ?? 0)]))
  const total = cost.total ?? Object.values(cost).reduce((sum, usd) => sum + usd, 0)
  return { ...call, cost: { ...cost, total } }
}

/** The defined model that a call used: the one that began last, of several the one that was defined last. */
export function definedModel({ model, startTime }: Pick<Call, 'model' | 'startTime'>, models: DefinedModels) {
  if (model === null) return undefined
  const fitting = models.fitting(model).filter(({ startDate }) => (startDate ?? 0) * 1_000 <= startTime)
  return fitting.reduce<StoredModel | undefined>(
    (best, each) => (best && (best.startDate ?? 0) > (each.startDate ?? 0) ? best : each),
    undefined,
  )
}

/** The tier whose conditions hold, by priority; else the default one. */
export function tierFor(call: Call, model: StoredModel | undefined, models: DefinedModels): PricingTier | undefined {
  const tiers = [...(model?.pricingTiers ?? [])].sort((a, b) => a.priority - b.priority)
  const special = tiers.find(
    (tier) => !tier.isDefault && tier.conditions.every((condition) => holds(condition, call, models)),
  )
  return special ?? tiers.find(({ isDefault }) => isDefault)
}

function holds(condition: TierCondition, call: Call, models: DefinedModels): boolean {
  if ('source' in condition) {
    const map = condition.source === 'metadata' ? call.metadata : call.modelParameters
    return Object.hasOwn(map, condition.key) && condition.values.includes(String(map[condition.key]))
  }
  const pattern = conditionPattern(condition)
  const used = Object.entries(call.usage).reduce(
    (sum, [kind, units]) => (models.isKind(pattern, kind) ? sum + units : sum),
    0,
  )
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
