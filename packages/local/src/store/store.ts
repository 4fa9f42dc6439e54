import type { StatementSync } from 'node:sqlite'
import { groupBy } from '../group.ts'
import { toRow, UPSERT } from './columns.ts'
import { openDatabase } from './database.ts'
import { withDefinedCost } from './model-cost.ts'
import type { StoredObservation } from './observation.ts'
import { ReadStore } from './read-store.ts'
import type { ReceivedSpan } from './received.ts'
import { makeRoom, TOGETHER } from './room.ts'
import { markSchema, schemaVersion, VERSION_WITHOUT_TRACES } from './schema.ts'
import { grown, type StoredTrace } from './trace.ts'

/** What is stored of one span: what it means and what it was. */
export interface Entry {
  readonly observation: StoredObservation
  readonly span: ReceivedSpan
}

/** In memory the oldest traces make room beyond this. A file is the user's, and kept whole. */
const MEMORY_BYTES = 256 * 1024 * 1024

/** Milliseconds between two looks for traces that are too old. */
const PRUNED_EVERY = 1_000

/** Everything this service keeps, in SQLite: what is written, beside what is read. */
export class Store extends ReadStore {
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
    const database = openDatabase(file)
    try {
      const before = schemaVersion(database)
      super(database)
      database.exec(TOGETHER)
      this.#maxBytes = maxBytes
      this.#keepMs = keepMs
      this.#upsert = database.prepare(UPSERT)
      this.#known = database.prepare('SELECT 1 FROM observations WHERE traceId = ? AND id = ?')
      this.#change = Number(this.query({ sql: 'SELECT max(change) AS last FROM traces', values: [] })[0]?.last ?? 0)
      if (before === VERSION_WITHOUT_TRACES) this.#outlineAll()
      markSchema(database)
    } catch (error) {
      database.close()
      throw error
    }
  }

  /** Stores all of a batch or, when it throws, nothing of it. */
  save(entries: readonly Entry[], now: number): void {
    this.#prune(now)
    const models = this.models.find()
    this.write(() => {
      const repeated = new Set<string>()
      const priced = entries.map(({ observation, span }) => ({
        span,
        observation: withDefinedCost(observation, models),
      }))
      for (const { observation, span } of priced) {
        const { traceId, id } = observation
        if (this.#known.get(traceId, id)) repeated.add(traceId)
        this.#upsert.run({ ...toRow({ ...observation, createdAt: now, updatedAt: now }), span: JSON.stringify(span) })
      }
      for (const [traceId, group] of groupBy(priced, (entry) => entry.observation.traceId)) {
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
    this.database.exec('BEGIN IMMEDIATE')
    try {
      const result = act()
      makeRoom(this.database, this.#maxBytes)
      this.database.exec('COMMIT')
      return result
    } catch (error) {
      this.database.exec('ROLLBACK')
      throw error
    }
  }

  /** Ids of the traces that changed after a change, and the last change. */
  changedSince(change: number): { readonly ids: readonly string[]; readonly change: number } {
    const rows = this.query({ sql: 'SELECT traceId FROM traces WHERE change > ? ORDER BY startTime', values: [change] })
    return { ids: rows.map(({ traceId }) => String(traceId)), change: this.#change }
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
}
