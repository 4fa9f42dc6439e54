import type { DatabaseSync } from 'node:sqlite'
import { pragma } from './room.ts'

/** Version of the tables; a file of another version is refused instead of misread. */
const SCHEMA_VERSION = 3
/** Without the table of traces, which is made from the observations. */
export const VERSION_WITHOUT_TRACES = 2

/**
 * The version of the tables of a database; 0 when it is new.
 *
 * @throws Error when this program cannot read it.
 */
export function schemaVersion(database: DatabaseSync): number {
  const version = pragma(database, 'user_version')
  if ([0, VERSION_WITHOUT_TRACES, SCHEMA_VERSION].includes(version)) return version
  const way = version > SCHEMA_VERSION ? 'update @svc/local, or name another file' : 'name another file'
  throw new Error(`its tables have version ${version}, and this program knows version ${SCHEMA_VERSION}: ${way}`)
}

/** Says that a database has the tables of this version: last, so that an upgrade that was cut off is made again. */
export function markSchema(database: DatabaseSync): void {
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
}
