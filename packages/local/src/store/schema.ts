import type { DatabaseSync } from 'node:sqlite'
import { pragma } from './room.ts'

/** Version of the tables; a file of another version is refused instead of misread. */
const SCHEMA_VERSION = 3

/**
 * Marks a new database with the version of the tables.
 *
 * @throws Error when the database has another one.
 */
export function checkSchema(database: DatabaseSync): void {
  const version = pragma(database, 'user_version')
  if (version === SCHEMA_VERSION) return
  if (version === 0) {
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
    return
  }
  const way = version > SCHEMA_VERSION ? 'update @svc/local, or name another file' : 'name another file'
  throw new Error(`its tables have version ${version}, and this program knows version ${SCHEMA_VERSION}: ${way}`)
}
