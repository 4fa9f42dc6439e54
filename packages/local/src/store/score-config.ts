import { flag, json, real, text, whole } from './kinds.ts'
import type { Table } from './rows.ts'

export const CONFIG_DATA_TYPES = ['NUMERIC', 'BOOLEAN', 'CATEGORICAL', 'TEXT'] as const

/** The rules for scores of a name. Times are milliseconds since 1970. */
export interface StoredScoreConfig {
  readonly id: string
  readonly name: string
  readonly dataType: (typeof CONFIG_DATA_TYPES)[number]
  readonly isArchived: boolean
  readonly minValue: number | null
  readonly maxValue: number | null
  readonly categories: readonly { readonly value: number; readonly label: string }[] | null
  readonly description: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export const SCORE_CONFIGS: Table<StoredScoreConfig> = {
  name: 'score_configs',
  columns: {
    id: text,
    name: text,
    dataType: text,
    isArchived: flag,
    minValue: real,
    maxValue: real,
    categories: json,
    description: text,
    createdAt: whole,
    updatedAt: whole,
  },
  key: ['id'],
}
