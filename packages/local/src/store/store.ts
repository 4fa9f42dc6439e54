import type { StatementSync } from 'node:sqlite'
import { groupBy } from '../group.ts'
import { boundedRows } from './bounded.ts'
import { openDatabase, stopWaiting } from './database.ts'
import { withDefinedCost } from './model-cost.ts'
import type { StoredObservation } from './observation.ts'
import { ReadStore } from './read-store.ts'
import type { StoredOtlp } from './received.ts'
import { DELETE_WITH_TRACE, makeRoom } from './room.ts'
import { checkSchema } from './schema.ts'
import { grown, type StoredTrace } from './trace.ts'
import { writeAtOnce } from './transaction.ts'

/** A span is stored as what it means and as what it was. */
export interface Entry {
  readonly observation: StoredObservation
  readonly span: StoredOtlp
}

/** Milliseconds between two looks for traces that are too old. */
const PRUNED_EVERY = 1_000

export interface StoreOptions {
  /** Beyond, the oldest traces make room. */
  readonly maxBytes?: number
  /** Milliseconds after which traces are forgotten; 0: never. */
  readonly keepMs?: number
  /** False: a power cut may cost the file, and writes do not wait for the disk. */
  readonly durable?: boolean
  /** It has a thread of its own, and may wait for the lock of another connection. */
  readonly waits?: boolean
}

/** Everything this service keeps, in SQLite: what is written, beside what is read. */
export class Store extends ReadStore {
  readonly #known: StatementSync
  readonly #newest: StatementSync
  readonly #maxBytes: number
  readonly #keepMs: number
  #prunedAt = 0

  /**
   * @param file database file; in memory when left out.
   * @throws Error when the file cannot be opened, written, or is not a database of this version.
   */
  constructor(file?: string, options: StoreOptions = {}) {
    const { maxBytes = Number.POSITIVE_INFINITY, keepMs = 0, durable = true, waits = false } = options
    const database = openDatabase(file, durable)
    try {
      checkSchema(database)
      super(database, waits ? boundedRows : undefined)
      database.exec(DELETE_WITH_TRACE)
      this.#maxBytes = maxBytes
      this.#keepMs = keepMs
      this.#newest = database.prepare('SELECT max(change) AS last FROM traces')
      this.#known = database.prepare('SELECT 1 FROM observations WHERE traceId = ? AND id = ?')
      if (!waits) stopWaiting(database)
    } catch (error) {
      database.close()
      throw error
    }
  }

  /** Stores all of a batch or, when it throws, nothing of it. */
  save(entries: readonly Entry[], now: number): void {
    this.#prune(now)
    const models = this.definedModels()
    models.learn(entries.map(({ observation }) => observation))
    this.write(() => {
      const repeated = new Set<string>()
      const priced = entries.map(({ observation, span }) => ({
        span,
        observation: withDefinedCost(observation, models),
      }))
      for (const { observation, span } of priced) {
        const { traceId, id } = observation
        if (this.#known.get(traceId, id)) repeated.add(traceId)
        this.spanRows.put({ ...observation, span, createdAt: now, updatedAt: now })
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
    return writeAtOnce(this.database, () => {
      const result = act()
      makeRoom(this.database, this.#maxBytes)
      return result
    })
  }

  /** Ids of the traces that changed after a change, and the last change. */
  changedSince(change: number): { readonly ids: readonly string[]; readonly change: number } {
    const rows = this.query({ sql: 'SELECT traceId FROM traces WHERE change > ? ORDER BY startTime', values: [change] })
    return { ids: rows.map(({ traceId }) => String(traceId)), change: this.#lastChange() }
  }

  /** Deletes traces with their observations and scores. */
  deleteTraces(ids: readonly string[]): void {
    this.write(() => {
      const those = { sql: 'WHERE traceId IN (SELECT value FROM json_each(?))', values: [JSON.stringify(ids)] }
      this.traces.remove(those)
      this.scores.remove(those)
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
    this.traces.put(grown(before, fresh, { traceId, change: this.#lastChange() + 1 }))
  }

  /** Of all connections. */
  #lastChange(): number {
    return Number(this.#newest.get()?.last ?? 0)
  }
}
