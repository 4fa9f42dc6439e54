import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { type Column, NumberColumn, ValueColumn } from './column.ts'
import type { Clause } from './rows.ts'

/** A column of observations that is kept in memory: an expression, as numbers or as values of any type. */
export interface ColumnSpec {
  readonly sql: string
  readonly as: 'numbers' | 'values'
}

/** Most bytes of columns that are kept; beyond, those that were not used for the longest time go. */
const MAX_BYTES = 256 * 1024 * 1024
/** Rows that are read at once where no index has all that is read: each may be large. */
const STEP = 2_000

const keyOf = ({ sql, as }: ColumnSpec) => `${as} ${sql}`

/**
 * Columns of a table in memory: SQLite needs a second to group a million rows, and a typed array some milliseconds. A
 * column is read when it is first needed; then only rows that are new, changed or gone are looked at.
 */
export class ColumnCache {
  readonly #database: DatabaseSync
  readonly #from: string
  readonly #maxBytes: number
  readonly #columns = new Map<string, { readonly sql: string; readonly column: Column }>()
  /** Which rows are there. A row is the `seq` of the table less the first one. */
  #present: Uint8Array = new Uint8Array()
  #count = 0
  #first = 0
  #last = -1
  /** Of the newest change that is in the columns. */
  #change = 0
  #version = ''

  /** @param from a table with `seq` and, unless it is read only once, `traceId`. */
  constructor(database: DatabaseSync, from: string, maxBytes = MAX_BYTES) {
    this.#database = database
    this.#from = from
    this.#maxBytes = maxBytes
  }

  /** How many rows there are, those that were deleted included. */
  get rows(): number {
    return this.#last - this.#first + 1
  }

  /** 1 for each row that is there. */
  get present(): Uint8Array {
    return this.#present
  }

  /** The columns, as the database is now. Within a transaction, so that all that is read is of the same time. */
  read(specs: readonly ColumnSpec[]): Column[] {
    try {
      return this.#read(specs)
    } catch (error) {
      // What was read in part is read again.
      this.#forget(0)
      throw error
    }
  }

  #read(specs: readonly ColumnSpec[]): Column[] {
    this.#update()
    const missing = new Map<string, { readonly sql: string; readonly column: Column }>()
    for (const spec of specs) {
      const kept = this.#columns.get(keyOf(spec))
      this.#columns.delete(keyOf(spec))
      if (kept) this.#columns.set(keyOf(spec), kept)
      else missing.set(keyOf(spec), { sql: spec.sql, column: newColumn(spec) })
    }
    if (missing.size > 0 || this.rows === 0) this.#load(missing)
    const found = specs.map((spec) => this.#columns.get(keyOf(spec))?.column as Column)
    this.#evict()
    return found
  }

  /** Which rows fulfil a condition. */
  where({ sql, values }: Clause): Uint8Array {
    const row = this.#database
      .prepare(`SELECT json_group_array(seq) AS seqs FROM ${this.#from} WHERE ${sql}`)
      .get(...values)
    const found = new Uint8Array(this.#present.length)
    for (const seq of listOf(row?.seqs)) found[Number(seq) - this.#first] = 1
    return found
  }

  /** Reads what has changed. */
  #update(): void {
    const version = `${this.#number('SELECT data_version AS n FROM pragma_data_version')} ${this.#number('SELECT total_changes() AS n')}`
    if (version === this.#version) return
    const count = this.#number(`SELECT count(*) AS n FROM ${this.#from}`)
    const first = this.#number(`SELECT min(seq) AS n FROM ${this.#from}`)
    // The older half is gone: from the beginning.
    if (first - this.#first >= this.rows / 2) this.#forget(first)
    else {
      const changed = `WHERE seq > ? OR traceId IN (SELECT traceId FROM traces WHERE change > ?)`
      this.#put([...this.#columns.values()], { sql: changed, values: [this.#last, this.#change] })
      if (this.#count !== count) this.#keepOnlyPresent()
    }
    this.#change = this.#number('SELECT max(change) AS n FROM traces')
    this.#version = version
  }

  #forget(first: number): void {
    this.#version = ''
    this.#columns.clear()
    this.#present = new Uint8Array()
    this.#count = 0
    this.#first = first
    this.#last = first - 1
  }

  #load(missing: ReadonlyMap<string, { readonly sql: string; readonly column: Column }>): void {
    const columns = [...missing.values()]
    for (const { column } of columns) column.grow(this.#present.length)
    const last = this.#number(`SELECT max(seq) AS n FROM ${this.#from}`)
    const step = this.#isCovered(columns) ? last - this.#first + 1 : STEP
    for (let from = this.#first; from <= last; from += step) {
      const all = step > STEP
      this.#put(columns, all ? EVERYTHING : { sql: 'WHERE seq >= ? AND seq < ?', values: [from, from + step] })
    }
    for (const [key, column] of missing) this.#columns.set(key, column)
  }

  /** Whether an index has all columns, so that rows with inputs and outputs are not read. */
  #isCovered(columns: readonly { readonly sql: string }[]): boolean {
    const [plan] = this.#database.prepare(`EXPLAIN QUERY PLAN ${this.#select(columns)}`).all()
    return String(plan?.detail).includes('COVERING INDEX')
  }

  #put(columns: readonly { readonly sql: string; readonly column: Column }[], { sql, values }: Clause): void {
    const row = this.#database.prepare(`${this.#select(columns)} ${sql}`).get(...values)
    const seqs = listOf(row?.seqs)
    this.#grow(
      columns,
      seqs.reduce<number>((last, seq) => Math.max(last, Number(seq)), this.#last),
    )
    for (const seq of seqs) {
      const at = Number(seq) - this.#first
      if (this.#present[at] === 0) this.#count += 1
      this.#present[at] = 1
    }
    // One after the other, as the text of a column is large.
    for (const [number, { column }] of columns.entries()) {
      for (const [at, value] of listOf(row?.[`c${number}`]).entries()) column.put(Number(seqs[at]) - this.#first, value)
    }
  }

  /** SQLite collects the values: rows one by one would take four times as long. */
  #select(columns: readonly { readonly sql: string }[]): string {
    const lists = columns.map(({ sql }, number) => `json_group_array(${sql}) AS c${number}`)
    return `SELECT ${['json_group_array(seq) AS seqs', ...lists].join(', ')} FROM ${this.#from}`
  }

  #grow(columns: readonly { readonly column: Column }[], last: number): void {
    this.#last = last
    const rows = last - this.#first + 1
    if (rows > this.#present.length) {
      const larger = new Uint8Array(Math.ceil(rows * 1.25))
      larger.set(this.#present)
      this.#present = larger
    }
    for (const { column } of columns) if (column.data.length < rows) column.grow(this.#present.length)
  }

  /** Rows were deleted. */
  #keepOnlyPresent(): void {
    const all = this.where({ sql: 'TRUE', values: [] })
    this.#present = all
    this.#count = all.reduce((sum, one) => sum + one, 0)
  }

  #evict(): void {
    let bytes = [...this.#columns.values()].reduce((sum, { column }) => sum + column.bytes(), 0)
    for (const [key, { column }] of this.#columns) {
      if (bytes <= this.#maxBytes) return
      bytes -= column.bytes()
      this.#columns.delete(key)
    }
  }

  #number(sql: string): number {
    return Number(this.#database.prepare(sql).get()?.n ?? 0)
  }
}

const EVERYTHING: Clause = { sql: '', values: [] }

const newColumn = ({ as }: ColumnSpec): Column => (as === 'numbers' ? new NumberColumn() : new ValueColumn())

const listOf = (json: SQLOutputValue | undefined): SQLOutputValue[] => JSON.parse(String(json ?? '[]'))
