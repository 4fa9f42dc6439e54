import { createHash } from 'node:crypto'

/** A row of the source: its id, and columns defined by its users. */
export type DatasetRow = Readonly<Record<string, unknown>>

/** The item of a row. Omitted fields are empty. */
export interface MappedItem {
  /** An existing item with this id is replaced. Default: the id of the row. */
  readonly id?: string | undefined
  readonly input?: unknown
  readonly expectedOutput?: unknown
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

const INPUT = ['input', 'query', 'question']
const EXPECTED_OUTPUT = ['expected_output', 'output', 'answer']
const TIMES = ['created_at', 'updated_at', 'createdAt', 'updatedAt']
const ANNOTATIONS = 'annotations'

/**
 * Returns the item of a row: the input from `input`, `query` or `question`, else the whole row; the expected output
 * from `expected_output`, `output` or `answer`; all other columns are metadata, except the id, times and annotations.
 */
export function mapRow(row: DatasetRow): MappedItem {
  const [input, expectedOutput] = [INPUT, EXPECTED_OUTPUT].map((names) => names.find((name) => isGiven(row[name])))
  const reserved = new Set(['id', ...TIMES, ANNOTATIONS, input, expectedOutput])
  const metadata = Object.entries(row).filter(([column]) => !reserved.has(column))
  return {
    input: input === undefined ? row : row[input],
    ...(expectedOutput === undefined ? {} : { expectedOutput: row[expectedOutput] }),
    ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
  }
}

/** Returns which parts of a row are not copied. */
export function leftBehind(row: DatasetRow): { readonly times: boolean; readonly annotations: boolean } {
  const annotations = row[ANNOTATIONS]
  const isEmpty = Array.isArray(annotations) ? annotations.length === 0 : !isGiven(annotations)
  return { times: TIMES.some((column) => isGiven(row[column])), annotations: !isEmpty }
}

/** Returns the id of a row; without one, a hash of its dataset and content, so that a retry replaces the same item. */
export function idOf(row: DatasetRow, datasetId: string): { readonly id: string; readonly made: boolean } {
  const { id } = row
  if ((typeof id === 'string' && id !== '') || typeof id === 'number') return { id: String(id), made: false }
  const content = JSON.stringify([datasetId, Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))])
  return { id: createHash('sha256').update(content).digest('hex').slice(0, 32), made: true }
}

/** Some sources have null for missing values. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
