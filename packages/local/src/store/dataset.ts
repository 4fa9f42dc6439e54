import { json, orNull, text, whole } from './kinds.ts'
import { type RowOf, table } from './rows.ts'

/** Times are milliseconds since 1970. */
export const DATASETS = table({
  name: 'datasets',
  columns: {
    id: text,
    name: text,
    description: orNull(text),
    metadata: json,
    inputSchema: json,
    expectedOutputSchema: json,
    createdAt: whole,
    updatedAt: whole,
  },
  key: ['name'],
  keeps: ['id', 'createdAt'],
})

/** A dataset as it is stored. */
export type StoredDataset = RowOf<typeof DATASETS>
