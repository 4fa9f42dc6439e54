import type { MetaResponse } from './pages.ts'

/** The allowed type and values of the scores with a name. */
export interface ScoreConfig {
  id: string
  name: string
  createdAt: string
  updatedAt: string
  projectId: string
  dataType: ScoreConfigDataType
  isArchived: boolean
  minValue?: number | null
  maxValue?: number | null
  categories?: ConfigCategory[]
  description?: string | null
}

/** A value of a categorical score. */
export interface ConfigCategory {
  value: number
  label: string
}

export const ScoreConfigDataType = {
  Numeric: 'NUMERIC',
  Boolean: 'BOOLEAN',
  Categorical: 'CATEGORICAL',
  Text: 'TEXT',
} as const
export type ScoreConfigDataType = (typeof ScoreConfigDataType)[keyof typeof ScoreConfigDataType]

export interface ScoreConfigs {
  data: ScoreConfig[]
  meta: MetaResponse
}

export interface CreateScoreConfigRequest {
  name: string
  dataType: ScoreConfigDataType
  categories?: readonly ConfigCategory[] | undefined
  minValue?: number | undefined
  maxValue?: number | undefined
  description?: string | undefined
}

export interface UpdateScoreConfigRequest {
  isArchived?: boolean | undefined
  name?: string | undefined
  categories?: readonly ConfigCategory[] | undefined
  minValue?: number | undefined
  maxValue?: number | undefined
  description?: string | undefined
}
