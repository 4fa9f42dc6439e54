import { exactJson, flag, orNull, text, whole, word } from './kinds.ts'
import { type Clause, type RowOf, type Rows, table } from './rows.ts'

export const DATASET_STATUSES = ['ACTIVE', 'ARCHIVED'] as const

/** Times are milliseconds since 1970. */
export const DATASET_ITEMS = table({
  name: 'dataset_items',
  columns: {
    id: text,
    /** This version is valid from then on. */
    validFrom: whole,
    deleted: flag,
    /** Of items of one dataset, the order in which they were created. */
    position: whole,
    datasetId: text,
    datasetName: text,
    status: word(DATASET_STATUSES),
    input: exactJson,
    expectedOutput: exactJson,
    metadata: exactJson,
    sourceTraceId: orNull(text),
    sourceObservationId: orNull(text),
    createdAt: whole,
  },
  key: ['id', 'validFrom'],
  indexes: ['(datasetId, position)'],
})

/** One version of a dataset item. An item that is written again, or deleted, gets another one. */
export type StoredItem = RowOf<typeof DATASET_ITEMS>

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
