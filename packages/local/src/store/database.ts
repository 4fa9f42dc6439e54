import { closeSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/**
 * Opens the database file, or one in memory. SQLite is loaded here and not before.
 *
 * @throws Error when the file cannot be used, or this Node has no SQLite.
 */
export function openDatabase(file: string | undefined, durable = true): DatabaseSync {
  const sqlite = loadSqlite()
  if (file !== undefined) createPrivate(file)
  const database = new sqlite.DatabaseSync(file ?? ':memory:')
  try {
    // WAL: a reader in another process is not blocked; NORMAL: a power cut may cost the last batch, never the file.
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durable ? 'NORMAL' : 'OFF'}; ${waiting(2_000)}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** One more connection to a database file that {@link openDatabase} has opened. */
export function openForReading(file: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(file, { readOnly: true })
  // Rows are read in place, not copied first: a read of everything takes half the time.
  database.exec(`${waiting(2_000)}; PRAGMA mmap_size = ${MAPPED}`)
  return database
}

/** Bytes of a file that are read in place; the rest is read as without. */
const MAPPED = 2 * 1024 ** 3

/** From now on a lock of another connection is an error at once: see locked.ts for what waits without blocking. */
export function stopWaiting(database: DatabaseSync): void {
  database.exec(waiting(0))
}

/** Sets the longest wait of a statement for the lock of another connection. */
const waiting = (ms: number): string => `PRAGMA busy_timeout = ${ms}`

function loadSqlite() {
  const sqlite = quietly(() => process.getBuiltinModule?.('node:sqlite'))
  // Before 22.13 it is behind a flag, or missing, and has no functions of ours: see functions.ts.
  if (!sqlite?.DatabaseSync.prototype.function) {
    const here = `this is Node ${process.versions.node}; your application may stay on it`
    throw new Error(`it needs the SQLite of Node 22.13 or later, and ${here}`)
  }
  return sqlite
}

/** Creates a new file for its owner only, because it holds user content. Files that SQLite adds get the same mode. */
function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch {
    // It exists, or cannot be created, which SQLite reports.
  }
}

// Node 22 calls SQLite experimental at its first use. That one warning is not the user's business; others pass.
function quietly<T>(load: () => T): T {
  const emit = process.emitWarning
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!/SQLite is an experimental feature/.test(String(warning))) emit.call(process, warning, ...rest)
  }) as typeof emit
  try {
    return load()
  } finally {
    process.emitWarning = emit
  }
}
