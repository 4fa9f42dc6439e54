/** The result codes of SQLite that decide what happens next (https://sqlite.org/rescode.html). */
export const SQLITE = { BUSY: 5, LOCKED: 6, READONLY: 8, FULL: 13, CANTOPEN: 14, NOTADB: 26 } as const

/** The primary result code of an error of SQLite; 0 for every other error. */
export function resultCodeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
}

/** Whether SQLite failed because another connection holds a lock: the same call may succeed later. */
export function isLocked(error: unknown): boolean {
  const code = resultCodeOf(error)
  return code === SQLITE.BUSY || code === SQLITE.LOCKED
}

/** Whether SQLite failed because no space is left on the disk: the same call may succeed later. */
export function isDiskFull(error: unknown): boolean {
  return resultCodeOf(error) === SQLITE.FULL
}
