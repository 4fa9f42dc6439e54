import type { DatabaseSync } from 'node:sqlite'
import { Refusal } from '../http/answer.ts'

/** Each deletes the oldest hundredth of a table. `makeRoom` repeats one until enough is free or it deletes nothing. */
const DELETE_OLDEST = [
  `DELETE FROM traces WHERE seq IN (SELECT seq FROM traces ORDER BY change LIMIT max(1, (SELECT count(*) FROM traces) / 100))`,
  ...['scores', 'media_content'].map(
    (table) => `DELETE FROM ${table} WHERE seq IN (
      SELECT seq FROM ${table} ORDER BY seq LIMIT max(1, (SELECT count(*) FROM ${table}) / 100)
    )`,
  ),
]

/** Deletes the observations and scores of a deleted trace. */
export const DELETE_WITH_TRACE = `
  CREATE TRIGGER IF NOT EXISTS with_trace AFTER DELETE ON traces BEGIN
    DELETE FROM observations WHERE traceId = old.traceId;
    DELETE FROM scores WHERE traceId = old.traceId;
  END;
`

/**
 * Deletes the least recently changed traces, then the oldest scores, then media, until the rest fits into `maxBytes`.
 *
 * @throws Refusal 507 when it still does not fit after all of these are deleted.
 */
export function makeRoom(database: DatabaseSync, maxBytes: number): void {
  if (maxBytes === Number.POSITIVE_INFINITY) return
  for (const statement of DELETE_OLDEST) {
    while (bytesOf(database) > maxBytes) {
      if (Number(database.prepare(statement).run().changes) === 0) break
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

/** Bytes of the pages in use; free pages do not count. */
export function bytesOf(database: DatabaseSync): number {
  return (pragma(database, 'page_count') - pragma(database, 'freelist_count')) * pragma(database, 'page_size')
}
