import type { DatabaseSync } from 'node:sqlite'
import { Refusal } from '../http/answer.ts'

/** What is forgotten when it is full, in this order, the oldest tenth of it at a time. */
const FORGETTABLE = [
  `DELETE FROM traces WHERE seq IN (SELECT seq FROM traces ORDER BY change LIMIT max(1, (SELECT count(*) FROM traces) / 10))`,
  ...['scores', 'media_content'].map(
    (table) => `DELETE FROM ${table} WHERE seq IN (
      SELECT seq FROM ${table} ORDER BY seq LIMIT max(1, (SELECT count(*) FROM ${table}) / 10)
    )`,
  ),
]

/** The observations and scores of a trace go with it. A database of an earlier version has the trigger without scores. */
export const TOGETHER = `
  DROP TRIGGER IF EXISTS with_trace;
  CREATE TRIGGER with_trace AFTER DELETE ON traces BEGIN
    DELETE FROM observations WHERE traceId = old.traceId;
    DELETE FROM scores WHERE traceId = old.traceId;
  END;
`

/**
 * Lets the oldest rows make room until everything fits into `maxBytes`.
 *
 * @throws Refusal 507 when it does not fit with everything forgotten that may be.
 */
export function makeRoom(database: DatabaseSync, maxBytes: number): void {
  if (maxBytes === Number.POSITIVE_INFINITY) return
  for (const forget of FORGETTABLE) {
    while (bytesOf(database) > maxBytes) {
      if (Number(database.prepare(forget).run().changes) === 0) break
    }
  }
  if (bytesOf(database) > maxBytes) {
    throw new Refusal(
      507,
      `The ${maxBytes} bytes that may be kept are full: start svc-local with --db FILE or a larger --max-size`,
    )
  }
}

/** The value of a `PRAGMA` that is a number. */
export function pragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0])
}

/** Bytes of what is kept. */
export function bytesOf(database: DatabaseSync): number {
  return (pragma(database, 'page_count') - pragma(database, 'freelist_count')) * pragma(database, 'page_size')
}
