import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import { groupBy } from '../group.ts'
import { CREATE, fromRow, type SavedObservation, SELECT, SELECT_OUTLINE, toRow, UPSERT } from './columns.ts'
import { openDatabase } from './database.ts'
import { DATASETS, type StoredDataset } from './dataset.ts'
import { DATASET_ITEMS, type StoredItem } from './dataset-item.ts'
import { addFunctions } from './functions.ts'
import { MEDIA, MEDIA_CONTENT, type StoredContent, type StoredMedia } from './media.ts'
import type { StoredObservation } from './observation.ts'
import { PROMPTS, type StoredPrompt } from './prompt.ts'
import type { ReceivedSpan } from './received.ts'
import { makeRoom, pragma, TOGETHER } from './room.ts'
import { type Clause, Rows } from './rows.ts'
import { SCORES, type StoredScore } from './score.ts'
import { type Search, searchOf } from './search.ts'
import { grown, type StoredTrace, TRACES } from './trace.ts'

/** What is stored of one span: what it means and what it was. */
export interface Entry {
  readonly observation: StoredObservation
  readonly span: ReceivedSpan
}

/** Version of the tables; a file of another version is refused instead of misread. */
const SCHEMA_VERSION = 3
/** Without the table of traces, which is made from the observations. */
const VERSION_WITHOUT_TRACES = 2
/** In memory the oldest traces make room beyond this. A file is the user's, and kept whole. */
const MEMORY_BYTES = 256 * 1024 * 1024

/** Milliseconds between two looks for traces that are too old. */
const PRUNED_EVERY = 1_000

/** Everything this service keeps, in SQLite: observations, one row a span, and a table for each other resource. */
export class Store {
  readonly traces: Rows<StoredTrace>
  readonly search: Search
  readonly scores: Rows<StoredScore>
  readonly datasets: Rows<StoredDataset>
  readonly items: Rows<StoredItem>
  readonly prompts: Rows<StoredPrompt>
  readonly media: Rows<StoredMedia>
  readonly mediaContent: Rows<StoredContent>
  readonly #database: DatabaseSync
  readonly #upsert: StatementSync
  readonly #known: StatementSync
  readonly #maxBytes: number
  readonly #keepMs: number
  #prunedAt = 0
  #change: number

  /**
   * @param file database file; in memory when left out.
   * @throws Error when the file cannot be opened, written, or is not a database of this version.
   */
  constructor(
    file?: string,
    { maxBytes = file === undefined ? MEMORY_BYTES : Number.POSITIVE_INFINITY, keepMs = 0 } = {},
  ) {
    this.#database = openDatabase(file)
    this.#maxBytes = maxBytes
    this.#keepMs = keepMs
    try {
      const before = this.#prepareSchema()
      addFunctions(this.#database)
      this.#upsert = this.#database.prepare(UPSERT)
      this.#known = this.#database.prepare('SELECT 1 FROM observations WHERE traceId = ? AND id = ?')
      this.traces = new Rows(this.#database, TRACES)
      this.#database.exec(TOGETHER)
      this.search = searchOf(this.#database)
      this.#change = Number(this.query({ sql: 'SELECT max(change) AS last FROM traces', values: [] })[0]?.last ?? 0)
      if (before === VERSION_WITHOUT_TRACES) this.#outlineAll()
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
    this.#prune(now)
    this.write(() => {
      const repeated = new Set<string>()
      for (const { observation, span } of entries) {
        const { traceId, id } = observation
        if (this.#known.get(traceId, id)) repeated.add(traceId)
        this.#upsert.run({ ...toRow({ ...observation, createdAt: now, updatedAt: now }), span: JSON.stringify(span) })
      }
      for (const [traceId, group] of groupBy(entries, (entry) => entry.observation.traceId)) {
        const fresh = group.map(({ observation }) => observation)
        if (repeated.has(traceId)) this.#outline(traceId, undefined, this.outline(traceId))
        else this.#outline(traceId, this.traces.one({ traceId }), fresh)
      }
    })
  }

  /**
   * Writes all that `act` writes or, when it throws, nothing of it.
   *
   * @throws Refusal 507 when it does not fit into memory.
   */
  write<T>(act: () => T): T {
    // At once for writing: somebody else's lock is met here, and not in the middle.
    this.#database.exec('BEGIN IMMEDIATE')
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

  /** {@link Store.trace} without input, output and metadata, which stand as null and `{}`. */
  outline(id: string): SavedObservation[] {
    const rows = this.#database.prepare(`${SELECT_OUTLINE} WHERE traceId = ? ORDER BY startTime, seq`).all(id)
    return rows.map(fromRow)
  }

  /** All spans, or those of a trace, as they arrived, in the order of arrival. */
  spans(traceId?: string): ReceivedSpan[] {
    const rows = this.query(
      traceId === undefined
        ? { sql: 'SELECT span FROM observations ORDER BY seq', values: [] }
        : { sql: 'SELECT span FROM observations WHERE traceId = ? ORDER BY seq', values: [traceId] },
    )
    return rows.map(({ span }) => JSON.parse(String(span)) as ReceivedSpan)
  }

  /** Ids of the traces that changed after a change, and the last change. */
  changedSince(change: number): { readonly ids: readonly string[]; readonly change: number } {
    const rows = this.query({ sql: 'SELECT traceId FROM traces WHERE change > ? ORDER BY startTime', values: [change] })
    return { ids: rows.map(({ traceId }) => String(traceId)), change: this.#change }
  }

  count(): number {
    return Number(this.#database.prepare('SELECT count(*) AS n FROM observations').get()?.n)
  }

  /** Deletes traces with their observations and scores. */
  deleteTraces(ids: readonly string[]): void {
    this.write(() => {
      for (const id of ids) {
        this.traces.remove({ sql: 'WHERE traceId = ?', values: [id] })
        this.scores.remove({ sql: 'WHERE traceId = ?', values: [id] })
      }
    })
  }

  close(): void {
    this.#database.close()
  }

  /** Forgets what is too old, now and then: a little of it, and the rest at a later write. */
  #prune(now: number): void {
    if (this.#keepMs === 0 || now - this.#prunedAt < PRUNED_EVERY) return
    this.#prunedAt = now
    const last = (now - this.#keepMs) * 1_000
    this.traces.remove({
      sql: 'WHERE seq IN (SELECT seq FROM traces WHERE startTime < ? AND endTime < ? ORDER BY startTime LIMIT 1000)',
      values: [last, last],
    })
  }

  #outline(traceId: string, before: StoredTrace | undefined, fresh: readonly StoredObservation[]): void {
    this.#change += 1
    this.traces.put(grown(before, fresh, { traceId, change: this.#change }))
  }

  #outlineAll(): void {
    this.write(() => {
      const rows = this.query({ sql: 'SELECT DISTINCT traceId FROM observations', values: [] })
      for (const { traceId } of rows) this.#outline(String(traceId), undefined, this.outline(String(traceId)))
    })
  }

  /** @returns the version that the file had; 0 when it is new. */
  #prepareSchema(): number {
    const version = pragma(this.#database, 'user_version')
    if (![0, VERSION_WITHOUT_TRACES, SCHEMA_VERSION].includes(version)) {
      throw new Error(`the database has version ${version}, this program writes version ${SCHEMA_VERSION}`)
    }
    this.#database.exec(`${CREATE} PRAGMA user_version = ${SCHEMA_VERSION}`)
    return version
  }
}
