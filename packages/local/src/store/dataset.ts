import { json, text, whole } from './kinds.ts'
import type { Table } from './rows.ts'

/** A dataset as it is stored. Times are milliseconds since 1970. */
export interface StoredDataset {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly metadata: unknown
  readonly inputSchema: unknown
  readonly expectedOutputSchema: unknown
  readonly createdAt: number
  readonly updatedAt: number
}

export const DATASETS: Table<StoredDataset> = {
  name: 'datasets',
  columns: {
    id: text,
    name: text,
    description: text,
    metadata: json,
    inputSchema: json,
    expectedOutputSchema: json,
    createdAt: whole,
    updatedAt: whole,
  },
  key: ['name'],
  keeps: ['id', 'createdAt'],
}
