import type { ChangesOf, PageOf, ValueOf } from './pages.ts'

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
export type ScoreConfigDataType = ValueOf<typeof ScoreConfigDataType>

export type ScoreConfigs = PageOf<ScoreConfig>

export interface CreateScoreConfigRequest {
  name: string
  dataType: ScoreConfigDataType
  categories?: readonly ConfigCategory[] | undefined
  minValue?: number | undefined
  maxValue?: number | undefined
  description?: string | undefined
}

export interface UpdateScoreConfigRequest extends ChangesOf<Omit<CreateScoreConfigRequest, 'dataType'>> {
  isArchived?: boolean | undefined
}
