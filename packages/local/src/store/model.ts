import { json, jsonOf, orNull, real, text, whole } from './kinds.ts'
import { type RowOf, table } from './rows.ts'

/** A condition of a tier: on the tokens that were used, or on what was sent with the call. */
export type TierCondition =
  | {
      readonly usageDetailPattern: string
      readonly operator: 'gt' | 'gte' | 'lt' | 'lte' | 'eq' | 'neq'
      readonly value: number
      readonly caseSensitive: boolean
    }
  | {
      readonly source: 'model_parameters' | 'metadata'
      readonly key: string
      readonly operator: 'in'
      readonly values: readonly string[]
    }

/** Prices that hold under conditions; the default tier has none. */
export interface PricingTier {
  readonly id: string
  readonly name: string
  readonly isDefault: boolean
  readonly priority: number
  readonly conditions: readonly TierCondition[]
  /** US dollars for one unit, by kind of usage. */
  readonly prices: Readonly<Record<string, number>>
}

/** Times are milliseconds since 1970. */
export const MODELS = table({
  name: 'models',
  columns: {
    id: text,
    modelName: text,
    /** Regular expression for the names of the model, which may begin with `(?i)`. */
    matchPattern: text,
    /** Calls before it have other prices. */
    startDate: orNull(whole),
    unit: orNull(text),
    inputPrice: orNull(real),
    outputPrice: orNull(real),
    totalPrice: orNull(real),
    pricingTiers: jsonOf<readonly PricingTier[]>(),
    tokenizerId: orNull(text),
    tokenizerConfig: json,
    createdAt: whole,
  },
  key: ['id'],
})

/** A model with user-defined prices. */
export type StoredModel = RowOf<typeof MODELS>
