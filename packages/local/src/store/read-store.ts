import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import {
  ASSIGNMENTS,
  QUEUE_ITEMS,
  QUEUES,
  type StoredAssignment,
  type StoredQueue,
  type StoredQueueItem,
} from './annotation-queue.ts'
import { allRows, type ReadRows } from './bounded.ts'
import { LARGE, OBSERVATIONS, type SavedObservation } from './columns.ts'
import { COMMENTS, type StoredComment } from './comment.ts'
import { DATASETS, type StoredDataset } from './dataset.ts'
import { DATASET_ITEMS, type StoredItem } from './dataset-item.ts'
import { DefinedModels } from './defined-models.ts'
import { addFunctions } from './functions.ts'
import { MEDIA, MEDIA_CONTENT, type StoredContent, type StoredMedia } from './media.ts'
import { MODELS, type StoredModel } from './model.ts'
import { API_KEYS, PROJECTS, type StoredApiKey, type StoredProject } from './project.ts'
import { PROMPTS, type StoredPrompt } from './prompt.ts'
import type { StoredOtlp } from './received.ts'
import { bytesOf } from './room.ts'
import { type Clause, Rows, type Table } from './rows.ts'
import { SCORES, type StoredScore } from './score.ts'
import { SCORE_CONFIGS, type StoredScoreConfig } from './score-config.ts'
import { type Search, searchOf } from './search.ts'
import { type StoredTrace, TRACES } from './trace.ts'
import { readAtOnce } from './transaction.ts'

/** Reads everything that this service keeps: a table of observations, one row a span, and one for each other resource. */
export class ReadStore {
  readonly traces: Rows<StoredTrace>
  readonly search: Search
  readonly scores: Rows<StoredScore>
  readonly scoreConfigs: Rows<StoredScoreConfig>
  readonly datasets: Rows<StoredDataset>
  readonly items: Rows<StoredItem>
  readonly prompts: Rows<StoredPrompt>
  readonly media: Rows<StoredMedia>
  readonly mediaContent: Rows<StoredContent>
  readonly models: Rows<StoredModel>
  readonly comments: Rows<StoredComment>
  readonly queues: Rows<StoredQueue>
  readonly queueItems: Rows<StoredQueueItem>
  readonly assignments: Rows<StoredAssignment>
  readonly projects: Rows<StoredProject>
  readonly apiKeys: Rows<StoredApiKey>
  protected readonly database: DatabaseSync
  protected readonly spanRows: Rows<SavedObservation & { readonly span: StoredOtlp }>
  #defined: { readonly version: string; readonly models: DefinedModels } | undefined

  readonly #rows: ReadRows

  /**
   * @param database gets the tables that it lacks; one that can only be read has all of them.
   * @param read what requests are answered with has a bound.
   */
  constructor(database: DatabaseSync, read = allRows) {
    this.database = database
    this.#rows = read
    const rows = <Row extends object>(table: Table<Row>) => new Rows(database, table, read)
    this.spanRows = rows(OBSERVATIONS)
    addFunctions(database)
    this.traces = rows(TRACES)
    this.search = searchOf(database)
    this.scores = rows(SCORES)
    this.scoreConfigs = rows(SCORE_CONFIGS)
    this.datasets = rows(DATASETS)
    this.items = rows(DATASET_ITEMS)
    this.prompts = rows(PROMPTS)
    this.media = rows(MEDIA)
    this.mediaContent = rows(MEDIA_CONTENT)
    this.models = rows(MODELS)
    this.comments = rows(COMMENTS)
    this.queues = rows(QUEUES)
    this.queueItems = rows(QUEUE_ITEMS)
    this.assignments = rows(ASSIGNMENTS)
    this.projects = rows(PROJECTS)
    this.apiKeys = rows(API_KEYS)
  }

  /** The models that were defined, read again when another one was defined, or deleted. */
  definedModels(): DefinedModels {
    const [row] = this.query({ sql: 'SELECT max(seq) AS last, count(*) AS n FROM models', values: [] })
    const version = `${row?.last} ${row?.n}`
    if (this.#defined?.version !== version) this.#defined = { version, models: new DefinedModels(this.models.find()) }
    return this.#defined.models
  }

  observations(clause: Clause): SavedObservation[] {
    return this.spanRows.find(clause)
  }

  /** Lets `act` read all of the same moment. */
  atOnce<T>(act: () => T): T {
    return readAtOnce(this.database, act)
  }

  /** Any whole `SELECT`. */
  query({ sql, values }: Clause): Record<string, SQLOutputValue>[] {
    return this.#rows(this.database.prepare(sql), values)
  }

  /** Returns what `act` makes of each row of a whole `SELECT`, for rows that are larger than what is kept of them. */
  each<Result>({ sql, values }: Clause, act: (row: Record<string, SQLOutputValue>) => Result): Result[] {
    return Array.from(this.database.prepare(sql).iterate(...values), act)
  }

  /** The observations of one trace, by start. */
  trace(id: string): SavedObservation[] {
    return this.observations({ sql: 'WHERE traceId = ? ORDER BY startTime, seq', values: [id] })
  }

  /** {@link Store.trace} without input, output and metadata, which stand as null and `{}`. */
  outline(id: string): SavedObservation[] {
    const rows = this.spanRows.outline({ sql: 'WHERE traceId = ? ORDER BY startTime, seq', values: [id] }, LARGE)
    return rows.map((row) => ({ ...row, metadata: {} }))
  }

  /** All spans, or some, as they came, in the order of arrival. */
  spans({ sql, values }: Clause = { sql: 'ORDER BY seq', values: [] }): StoredOtlp[] {
    return this.query({ sql: `SELECT span FROM observations ${sql}`, values }).map(({ span }) => span as StoredOtlp)
  }

  count(): number {
    return this.spanRows.count()
  }

  /** Bytes that are kept. */
  bytes(): number {
    return bytesOf(this.database)
  }

  close(): void {
    this.database.close()
  }
}
