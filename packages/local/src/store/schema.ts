import type { DatabaseSync } from 'node:sqlite'
import { pragma } from './room.ts'

/** Version of the tables; a file of another version is refused instead of misread. */
const SCHEMA_VERSION = 3
/** Without the table of traces, which is made from the observations. */
export const VERSION_WITHOUT_TRACES = 2

/**
 * Marks the database as one of this version.
 *
 * @returns the version that it had; 0 when it is new.
 * @throws Error when this program cannot read it.
 */
export function prepareSchema(database: DatabaseSync): number {
  const version = pragma(database, 'user_version')
  if (![0, VERSION_WITHOUT_TRACES, SCHEMA_VERSION].includes(version)) {
    throw new Error(`the database has version ${version}, this program writes version ${SCHEMA_VERSION}`)
  }
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  return version
}
