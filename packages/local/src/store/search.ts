import type { DatabaseSync } from 'node:sqlite'
import { writeAtOnce } from './transaction.ts'

/** Characters of each text that can be searched for. */
const INDEXED = 20_000
/** Characters that are searched for words at once: requests wait for these milliseconds. */
const AT_ONCE = 200_000
/** Words of a search that count: SQLite has a limit for the depth of a condition. */
const MOST_WORDS = 50
/** Newest observations that a search finds at most. */
const FOUND = 2_000

// The trigger lasts as long as the connection: a Node without FTS5 may delete from the same file.
const CREATE = `
  CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5 (text, content = '', contentless_delete = 1, detail = none);
  CREATE TEMP TRIGGER IF NOT EXISTS unsearched AFTER DELETE ON main.observations BEGIN
    DELETE FROM search WHERE rowid = old.seq;
  END;
`

/** The text of an observation that is searched. */
const TEXT = `id || ' ' || ${['name', 'statusMessage', 'input', 'output', 'metadata']
  .map((column) => `substr(coalesce(${column}, ''), 1, ${INDEXED})`)
  .join(" || ' ' || ")}`

/** The words of names, inputs, outputs, status messages and metadata, and the ids of observations. */
export interface Search {
  /** Collects from the next few observations. @returns whether there may be more. */
  collect(limit: number): boolean
  /**
   * Ids of traces with an observation that has all words of a text, the last one from its beginning, or, among the
   * newest observations, as parts of words.
   */
  traces(text: string): string[]
}

/** The search of a database. Node's SQLite has FTS5 from 22.16 on. */
export function searchOf(database: DatabaseSync): Search {
  const has = database.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get()
  return has ? new WordSearch(database) : new PlainSearch(database)
}

/** Words are indexed in the background, a few observations at a time, once a page has been opened. */
class WordSearch implements Search {
  readonly #database: DatabaseSync
  readonly #parts: Search
  #last: number

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#parts = new PlainSearch(database)
    database.exec(CREATE)
    this.#last = Number(database.prepare('SELECT max(rowid) AS last FROM search').get()?.last ?? 0)
  }

  collect(limit: number): boolean {
    const next = this.#database
      .prepare(`SELECT seq, ${TEXT} AS text FROM observations WHERE seq > ? ORDER BY seq LIMIT ?`)
      .all(this.#last, limit)
    if (next.length === 0) return false
    const rows = firstOf(next)
    const insert = this.#database.prepare('INSERT OR REPLACE INTO search (rowid, text) VALUES (?, ?)')
    writeAtOnce(this.#database, () => {
      for (const { seq, text } of rows) insert.run(Number(seq), String(text))
    })
    this.#last = Number(rows.at(-1)?.seq)
    return next.length === limit || rows.length < next.length
  }

  traces(text: string): string[] {
    const words = wordsOf(text)
    if (words.length === 0) return []
    const rows = this.#database
      .prepare(
        `SELECT DISTINCT traceId FROM observations WHERE seq IN (
           SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ${FOUND})`,
      )
      .all(`${words.map((word) => `"${word}"`).join(' ')}*`)
    return [...new Set([...rows.map(({ traceId }) => String(traceId)), ...this.#parts.traces(text)])]
  }
}

/** Reads the newest observations at each search, and finds words inside others, too. */
class PlainSearch implements Search {
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  collect(): boolean {
    return false
  }

  traces(text: string): string[] {
    const words = wordsOf(text)
    if (words.length === 0) return []
    const rows = this.#database
      .prepare(
        `SELECT DISTINCT traceId FROM (SELECT traceId, ${TEXT} AS text FROM observations ORDER BY seq DESC LIMIT ${FOUND})
         WHERE ${words.map(() => 'instr(lower(text), lower(?)) > 0').join(' AND ')}`,
      )
      .all(...words)
    return rows.map(({ traceId }) => String(traceId))
  }
}

/** The first rows, until they have enough characters. */
function firstOf<Row extends { readonly text?: unknown }>(rows: readonly Row[]): Row[] {
  let characters = 0
  return rows.filter(({ text }) => {
    const fits = characters < AT_ONCE
    characters += String(text).length
    return fits
  })
}

function wordsOf(text: string): readonly string[] {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MOST_WORDS)
}
