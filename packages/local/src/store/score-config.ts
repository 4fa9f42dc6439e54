import { flag, jsonOf, orNull, real, text, whole, word } from './kinds.ts'
import { type RowOf, table } from './rows.ts'

export const CONFIG_DATA_TYPES = ['NUMERIC', 'BOOLEAN', 'CATEGORICAL', 'TEXT'] as const

/** Times are milliseconds since 1970. */
export const SCORE_CONFIGS = table({
  name: 'score_configs',
  columns: {
    id: text,
    name: text,
    dataType: word(CONFIG_DATA_TYPES),
    isArchived: flag,
    minValue: orNull(real),
    maxValue: orNull(real),
    categories: orNull(jsonOf<readonly { readonly value: number; readonly label: string }[]>()),
    description: orNull(text),
    createdAt: whole,
    updatedAt: whole,
  },
  key: ['id'],
})

/** The rules for scores of a name. */
export type StoredScoreConfig = RowOf<typeof SCORE_CONFIGS>
