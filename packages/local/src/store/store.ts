import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { StoredObservation } from '../observation.ts'
import type { ReceivedSpan } from '../otlp/received.ts'
import { CREATE, fromRow, type SavedObservation, SELECT, toRow, UPSERT } from './columns.ts'
import { openDatabase } from './database.ts'
import { addFunctions } from './functions.ts'

/** What is stored of one span: what it means and what it was. */
export interface Entry {
  readonly observation: StoredObservation
  readonly span: ReceivedSpan
}

/** The part of a statement after `SELECT … FROM observations`, with the values of its placeholders. */
export interface Clause {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

/** Version of the table; a file of another version is refused instead of misread. */
const SCHEMA_VERSION = 1
/** In memory the oldest traces make room beyond this. A file is the user's, and kept whole. */
const MEMORY_BYTES = 256 * 1024 * 1024

/** Observations in SQLite, one row a span. */
export class Store {
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
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** Stores all of a batch or, when it throws, nothing of it. */
  save(entries: readonly Entry[], now: number): void {
    this.#database.exec('BEGIN')
    try {
      for (const { observation, span } of entries) {
        this.#upsert.run({ ...toRow({ ...observation, createdAt: now, updatedAt: now }), span: JSON.stringify(span) })
      }
      this.#database.exec('COMMIT')
    } catch (error) {
      this.#database.exec('ROLLBACK')
      throw error
    }
    this.#makeRoom()
  }

  observations({ sql, values }: Clause): SavedObservation[] {
    return this.#database
      .prepare(`${SELECT} ${sql}`)
      .all(...values)
      .map(fromRow)
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
  traceIds({ limit = -1, offset = 0 } = {}): string[] {
    const rows = this.#database
      .prepare(
        'SELECT traceId FROM observations GROUP BY traceId ORDER BY min(startTime) DESC, traceId LIMIT ? OFFSET ?',
      )
      .all(limit, offset)
    return rows.map(({ traceId }) => String(traceId))
  }

  count(): number {
    return Number(this.#database.prepare('SELECT count(*) AS n FROM observations').get()?.n)
  }

  deleteTraces(ids: readonly string[]): void {
    const statement = this.#database.prepare('DELETE FROM observations WHERE traceId = ?')
    for (const id of ids) statement.run(id)
  }

  close(): void {
    this.#database.close()
  }

  #prepareSchema(): void {
    const version = this.#pragma('user_version')
    if (version !== 0 && version !== SCHEMA_VERSION) {
      throw new Error(`the database has version ${version}, this program writes version ${SCHEMA_VERSION}`)
    }
    this.#database.exec(`${CREATE} PRAGMA user_version = ${SCHEMA_VERSION}`)
  }

  #makeRoom(): void {
    while (this.#bytes() > this.#maxBytes) {
      const { changes } = this.#database
        .prepare(
          `DELETE FROM observations WHERE traceId IN (
            SELECT traceId FROM observations GROUP BY traceId ORDER BY max(seq)
            LIMIT max(1, (SELECT count(DISTINCT traceId) FROM observations) / 10)
          )`,
        )
        .run()
      if (changes === 0) return
    }
  }

  #bytes(): number {
    return (this.#pragma('page_count') - this.#pragma('freelist_count')) * this.#pragma('page_size')
  }

  #pragma(name: string): number {
    return Number(Object.values(this.#database.prepare(`PRAGMA ${name}`).get() ?? {})[0])
  }
}
