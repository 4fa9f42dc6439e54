import { flag, json, text, whole } from './kinds.ts'
import type { Clause, Rows, Table } from './rows.ts'

export const DATASET_STATUSES = ['ACTIVE', 'ARCHIVED'] as const

/** One version of a dataset item. An item that is written again, or deleted, gets another one. */
export interface StoredItem {
  readonly id: string
  /** Milliseconds since 1970: this version is valid from then on. */
  readonly validFrom: number
  readonly deleted: boolean
  /** Of items of one dataset, the order in which they were created. */
  readonly position: number
  readonly datasetId: string
  readonly datasetName: string
  readonly status: (typeof DATASET_STATUSES)[number]
  readonly input: unknown
  readonly expectedOutput: unknown
  readonly metadata: unknown
  readonly sourceTraceId: string | null
  readonly sourceObservationId: string | null
  readonly createdAt: number
}

export const DATASET_ITEMS: Table<StoredItem> = {
  name: 'dataset_items',
  columns: {
    id: text,
    validFrom: whole,
    deleted: flag,
    position: whole,
    datasetId: text,
    datasetName: text,
    status: text,
    input: json,
    expectedOutput: json,
    metadata: json,
    sourceTraceId: text,
    sourceObservationId: text,
    createdAt: whole,
  },
  key: ['id', 'validFrom'],
  indexes: ['(datasetId, position)'],
}

/** The version of each item that was valid at a time, in milliseconds since 1970; now when left out. */
export function validAt(time = Number.MAX_SAFE_INTEGER): Clause {
  return {
    sql: `deleted = 0 AND validFrom = (
      SELECT max(version.validFrom) FROM dataset_items AS version
      WHERE version.id = dataset_items.id AND version.validFrom <= ?
    )`,
    values: [time],
  }
}

/** The current version of an item; undefined when it does not exist or was deleted. */
export function currentItem(id: string, { items }: { readonly items: Rows<StoredItem> }): StoredItem | undefined {
  const { sql, values } = validAt()
  return items.find({ sql: `WHERE id = ? AND ${sql}`, values: [id, ...values] })[0]
}
