import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { allRows, type ReadRows } from './bounded.ts'
import type { Kind } from './kinds.ts'

/** The part of a statement after `FROM table`, with the values of its placeholders. */
export interface Clause {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

/** All of these conditions. */
export const allOf = (clauses: readonly Clause[]): Clause => joined(clauses, ' AND ', 'TRUE')
/** At least one of these conditions. */
export const anyOf = (clauses: readonly Clause[]): Clause => joined(clauses, ' OR ', 'FALSE')
/** The condition that a column has one of these values. */
export const oneOf = (column: string, values: Clause['values']): Clause => ({
  sql: `${column} IN (${values.map(() => '?').join(', ')})`,
  values,
})

function joined(clauses: readonly Clause[], word: string, ofNone: string): Clause {
  return {
    sql: clauses.length === 0 ? ofNone : `(${clauses.map(({ sql }) => sql).join(word)})`,
    values: clauses.flatMap(({ values }) => values),
  }
}

/** A table of which each row is one `Row`. */
export interface Table<Row> {
  readonly name: string
  readonly columns: Readonly<Record<keyof Row & string, Kind>>
  /** Columns that identify a row: a row that is written again is replaced, and keeps its place. */
  readonly key: readonly (keyof Row & string)[]
  /** Columns whose first value stays when a row is written again. */
  readonly keeps?: readonly (keyof Row & string)[]
  /** Columns that are written with a row, and not read with it. */
  readonly aside?: readonly (keyof Row & string)[]
  /** What is searched often: columns in parentheses, and a condition of those that are in the index. */
  readonly indexes?: readonly string[]
}

type Columns = Readonly<Record<string, Kind>>
type RowOfColumns<Kinds extends Columns> = {
  readonly [Name in keyof Kinds]: Kinds[Name] extends Kind<infer Value> ? Value : never
}

/** A table whose rows are as its columns say: their type is {@link RowOf} it. */
export const table = <Kinds extends Columns>(
  given: Omit<Table<RowOfColumns<Kinds>>, 'columns'> & { readonly columns: Kinds },
): Table<RowOfColumns<Kinds>> => given

export type RowOf<Of> = Of extends Table<infer Row> ? Row : never

const EVERYTHING: Clause = { sql: 'ORDER BY seq', values: [] }

/** The rows of one table. `seq` is the order in which they came. */
export class Rows<Row extends object> {
  readonly #database: DatabaseSync
  readonly #table: Table<Row>
  readonly #kinds: readonly [string, Kind][]
  /** Without those that are not read with a row. */
  readonly #read: readonly [string, Kind][]
  readonly #upsert: StatementSync
  readonly #rows: ReadRows
  /** Statements of `one`, by what they ask for: there are few, and the intake asks them for each trace. */
  readonly #one = new Map<string, StatementSync>()

  constructor(database: DatabaseSync, table: Table<Row>, read = allRows) {
    this.#rows = read
    this.#database = database
    this.#table = table
    this.#kinds = Object.entries<Kind>(table.columns)
    const aside: readonly string[] = table.aside ?? []
    this.#read = this.#kinds.filter(([name]) => !aside.includes(name))
    for (const statement of createSql(table)) database.exec(statement)
    this.#upsert = database.prepare(upsertSql(table))
  }

  put(row: Row): void {
    const values = new Map<string, unknown>(Object.entries(row))
    const columns = this.#kinds.map(([name, kind]) => {
      const value = values.get(name) ?? null
      return [name, value === null ? null : kind.write(value)]
    })
    this.#upsert.run(Object.fromEntries(columns))
  }

  find({ sql, values }: Clause = EVERYTHING): Row[] {
    return this.#rows(this.#select(sql), values).map((row) => this.#rowOf(row))
  }

  /** {@link find} of as many rows as there are, without columns that are large: they stand as null. */
  outline({ sql, values }: Clause, large: readonly (keyof Row & string)[]): Row[] {
    return allRows(this.#select(sql, large), values).map((row) => this.#rowOf(row))
  }

  /** The row whose columns have these values; the first one of several. */
  one(where: Partial<Record<keyof Row & string, SQLInputValue>>): Row | undefined {
    const entries = Object.entries<SQLInputValue | undefined>(where)
    const sql = `WHERE ${entries.map(([name]) => `${name} = ?`).join(' AND ')} ORDER BY seq LIMIT 1`
    const row = this.#prepared(sql).get(...entries.map(([, value]) => value ?? null))
    return row && this.#rowOf(row)
  }

  count({ sql, values }: Clause = { sql: '', values: [] }): number {
    return Number(this.#database.prepare(`SELECT count(*) AS n FROM ${this.#table.name} ${sql}`).get(...values)?.n)
  }

  /** @returns how many rows there were. */
  remove({ sql, values }: Clause): number {
    return Number(this.#database.prepare(`DELETE FROM ${this.#table.name} ${sql}`).run(...values).changes)
  }

  #select(sql: string, without: readonly string[] = []): StatementSync {
    const names = this.#read.map(([name]) => name).filter((name) => !without.includes(name))
    return this.#database.prepare(`SELECT ${names.join(', ')} FROM ${this.#table.name} ${sql}`)
  }

  #prepared(sql: string): StatementSync {
    const statement = this.#one.get(sql) ?? this.#select(sql)
    this.#one.set(sql, statement)
    return statement
  }

  #rowOf(row: Readonly<Record<string, SQLOutputValue>>): Row {
    const properties = this.#read.map(([name, kind]) => {
      const value = row[name] ?? null
      return [name, value === null ? null : kind.read(value)]
    })
    return Object.fromEntries(properties) as Row
  }
}

function createSql<Row>({ name, columns, key, indexes = [] }: Table<Row>): string[] {
  const list = Object.entries<Kind>(columns).map(([column, { sql }]) => `${column} ${sql}`)
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, ${list.join(', ')}, UNIQUE (${key.join(', ')})
    )`,
    ...indexes.map((on, at) => `CREATE INDEX IF NOT EXISTS ${name}_${at} ON ${name} ${on}`),
  ]
}

function upsertSql<Row>({ name, columns, key, keeps = [] }: Table<Row>): string {
  const names = Object.keys(columns)
  const fixed = new Set<string>([...key, ...keeps])
  const changes = names.filter((column) => !fixed.has(column)).map((column) => `${column} = excluded.${column}`)
  return `INSERT INTO ${name} (${names.join(', ')}) VALUES (${names.map((column) => `:${column}`).join(', ')})
    ON CONFLICT (${key.join(', ')}) DO ${changes.length === 0 ? 'NOTHING' : `UPDATE SET ${changes.join(', ')}`}`
}
