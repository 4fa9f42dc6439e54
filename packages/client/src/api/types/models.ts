import type { Moment, PageOf, ValueOf } from './pages.ts'

/** A model and its prices. `matchPattern` is a regular expression for the model names of observations. */
export interface Model {
  id: string
  modelName: string
  matchPattern: string
  startDate: string | null
  unit?: ModelUsageUnit | null
  inputPrice: number | null
  outputPrice: number | null
  totalPrice: number | null
  tokenizerId: string | null
  tokenizerConfig: unknown
  isSvcManaged: boolean
  createdAt: string
  prices: Record<string, ModelPrice>
  pricingTiers: PricingTier[]
}

export interface ModelPrice {
  price: number
}

export type PricingTierCondition = PricingTierUsageCondition | PricingTierAttributeCondition

export interface PricingTierUsageCondition {
  usageDetailPattern: string
  operator: PricingTierOperator
  value: number
  caseSensitive: boolean
}

export interface PricingTierAttributeCondition {
  source: PricingTierAttributeSource
  key: string
  operator: 'in'
  values: string[]
}

export const PricingTierAttributeSource = { ModelParameters: 'model_parameters', Metadata: 'metadata' } as const
export type PricingTierAttributeSource = ValueOf<typeof PricingTierAttributeSource>

/** Prices that apply under conditions; the default tier has none. */
export interface PricingTier extends PricingTierInput {
  id: string
  conditions: PricingTierCondition[]
  prices: Record<string, number>
}

export interface PricingTierInput {
  name: string
  isDefault: boolean
  priority: number
  conditions: readonly PricingTierCondition[]
  prices: Readonly<Record<string, number>>
}

export const PricingTierOperator = { Gt: 'gt', Gte: 'gte', Lt: 'lt', Lte: 'lte', Eq: 'eq', Neq: 'neq' } as const
export type PricingTierOperator = ValueOf<typeof PricingTierOperator>

export const ModelUsageUnit = {
  Characters: 'CHARACTERS',
  Tokens: 'TOKENS',
  Milliseconds: 'MILLISECONDS',
  Seconds: 'SECONDS',
  Images: 'IMAGES',
  Requests: 'REQUESTS',
} as const
export type ModelUsageUnit = ValueOf<typeof ModelUsageUnit>

export type PaginatedModels = PageOf<Model>

export interface CreateModelRequest {
  modelName: string
  matchPattern: string
  startDate?: Moment | undefined
  unit?: ModelUsageUnit | undefined
  inputPrice?: number | undefined
  outputPrice?: number | undefined
  totalPrice?: number | undefined
  pricingTiers?: readonly PricingTierInput[] | undefined
  tokenizerId?: string | undefined
  tokenizerConfig?: unknown
}
