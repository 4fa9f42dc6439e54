import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { StoredObservation } from '../observation.ts'
import type { ReceivedSpan } from '../received.ts'
import { CREATE, fromRow, type SavedObservation, SELECT, toRow, UPSERT } from './columns.ts'
import { openDatabase } from './database.ts'
import { DATASETS, type StoredDataset } from './dataset.ts'
import { DATASET_ITEMS, type StoredItem } from './dataset-item.ts'
import { addFunctions } from './functions.ts'
import { MEDIA, MEDIA_CONTENT, type StoredContent, type StoredMedia } from './media.ts'
import { PROMPTS, type StoredPrompt } from './prompt.ts'
import { makeRoom, pragma } from './room.ts'
import { type Clause, Rows } from './rows.ts'
import { SCORES, type StoredScore } from './score.ts'

/** What is stored of one span: what it means and what it was. */
export interface Entry {
  readonly observation: StoredObservation
  readonly span: ReceivedSpan
}

/** Which traces are wanted: a page of them, of one user or session where `of` names it. */
interface TracesWanted {
  readonly limit?: number
  readonly offset?: number
  readonly of?: { readonly column: 'userId' | 'sessionId'; readonly value: string } | undefined
}

/** Version of the tables; a file of another version is refused instead of misread. */
const SCHEMA_VERSION = 2
/** In memory the oldest traces make room beyond this. A file is the user's, and kept whole. */
const MEMORY_BYTES = 256 * 1024 * 1024

/** Everything this service keeps, in SQLite: observations, one row a span, and a table for each other resource. */
export class Store {
  readonly scores: Rows<StoredScore>
  readonly datasets: Rows<StoredDataset>
  readonly items: Rows<StoredItem>
  readonly prompts: Rows<StoredPrompt>
  readonly media: Rows<StoredMedia>
  readonly mediaContent: Rows<StoredContent>
  readonly #database: DatabaseSync
  readonly #upsert: StatementSync
  readonly #maxBytes: number

  /**
   * @param file database file; in memory when left out.
   * @throws Error when the file cannot be opened, written, or is not a database of this version.
   */
  constructor(file?: string, { maxBytes = file === undefined ? MEMORY_BYTES : Number.POSITIVE_INFINITY } = {}) {
    this.#database = openDatabase(file)
    this.#maxBytes = maxBytes
    try {
      this.#prepareSchema()
      addFunctions(this.#database)
      this.#upsert = this.#database.prepare(UPSERT)
      this.scores = new Rows(this.#database, SCORES)
      this.datasets = new Rows(this.#database, DATASETS)
      this.items = new Rows(this.#database, DATASET_ITEMS)
      this.prompts = new Rows(this.#database, PROMPTS)
      this.media = new Rows(this.#database, MEDIA)
      this.mediaContent = new Rows(this.#database, MEDIA_CONTENT)
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** Stores all of a batch or, when it throws, nothing of it. */
  save(entries: readonly Entry[], now: number): void {
    this.write(() => {
      for (const { observation, span } of entries) {
        this.#upsert.run({ ...toRow({ ...observation, createdAt: now, updatedAt: now }), span: JSON.stringify(span) })
      }
    })
  }

  /**
   * Writes all that `act` writes or, when it throws, nothing of it.
   *
   * @throws Refusal 507 when it does not fit into memory.
   */
  write<T>(act: () => T): T {
    this.#database.exec('BEGIN')
    try {
      const result = act()
      makeRoom(this.#database, this.#maxBytes)
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      this.#database.exec('ROLLBACK')
      throw error
    }
  }

  observations({ sql, values }: Clause): SavedObservation[] {
    return this.#database
      .prepare(`${SELECT} ${sql}`)
      .all(...values)
      .map(fromRow)
  }

  /** Any whole `SELECT`. */
  query({ sql, values }: Clause): Record<string, SQLOutputValue>[] {
    return this.#database.prepare(sql).all(...values)
  }

  /** The observations of one trace, by start. */
  trace(id: string): SavedObservation[] {
    return this.observations({ sql: 'WHERE traceId = ? ORDER BY startTime, seq', values: [id] })
  }

  /** All spans as they arrived, in the order of arrival. */
  spans(): ReceivedSpan[] {
    const rows = this.#database.prepare('SELECT span FROM observations ORDER BY seq').all()
    return rows.map(({ span }) => JSON.parse(String(span)) as ReceivedSpan)
  }

  /** Ids of traces, the one that started last first. */
  traceIds({ limit = -1, offset = 0, of }: TracesWanted = {}): string[] {
    const narrowed = of ? `WHERE traceId IN (SELECT traceId FROM observations WHERE ${of.column} = ?)` : ''
    const rows = this.query({
      sql: `SELECT traceId FROM observations ${narrowed} GROUP BY traceId
        ORDER BY min(startTime) DESC, traceId LIMIT ? OFFSET ?`,
      values: [...(of ? [of.value] : []), limit, offset],
    })
    return rows.map(({ traceId }) => String(traceId))
  }

  count(): number {
    return Number(this.#database.prepare('SELECT count(*) AS n FROM observations').get()?.n)
  }

  /** Deletes traces with their observations and scores. */
  deleteTraces(ids: readonly string[]): void {
    this.write(() => {
      const statement = this.#database.prepare('DELETE FROM observations WHERE traceId = ?')
      for (const id of ids) {
        statement.run(id)
        this.scores.remove({ sql: 'WHERE traceId = ?', values: [id] })
      }
    })
  }

  close(): void {
    this.#database.close()
  }

  #prepareSchema(): void {
    const version = pragma(this.#database, 'user_version')
    if (version !== 0 && version !== SCHEMA_VERSION) {
      throw new Error(`the database has version ${version}, this program writes version ${SCHEMA_VERSION}`)
    }
    this.#database.exec(`${CREATE} PRAGMA user_version = ${SCHEMA_VERSION}`)
  }
}
