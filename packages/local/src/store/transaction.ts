import type { DatabaseSync } from 'node:sqlite'

/** Writes all that `act` writes or, when it throws, nothing of it. */
export function writeAtOnce<T>(database: DatabaseSync, act: () => T): T {
  // IMMEDIATE, so that the lock of another connection fails here and not in the middle.
  return transaction(database, 'BEGIN IMMEDIATE', act)
}

/** Calls `act` so that all it reads is of the same moment. */
export function readAtOnce<T>(database: DatabaseSync, act: () => T): T {
  return transaction(database, 'BEGIN', act)
}

function transaction<T>(database: DatabaseSync, begin: string, act: () => T): T {
  database.exec(begin)
  try {
    const result = act()
    database.exec('COMMIT')
    return result
  } catch (error) {
    rollBack(database)
    throw error
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // SQLite has rolled back by itself, as it does when the disk is full: the first error says why.
  }
}
