import { log, messageOf } from '@svc/core/log'
import { type Answer, json, Refusal } from './answer.ts'

const RETRY = { 'retry-after': '1' }
const [SQLITE_BUSY, SQLITE_LOCKED] = [5, 6]

/** What `handle` answers, or what is answered to what it throws. Never rejects. */
export async function answered<T>(request: string, handle: () => Promise<T>): Promise<T | Answer> {
  try {
    return await handle()
  } catch (error) {
    if (error instanceof Refusal) return error.answer
    if (isLocked(error)) return json(503, { message: 'The database is locked', error: messageOf(error) }, RETRY)
    log.error(`${request} failed: ${messageOf(error)}`)
    return json(500, { message: 'Internal Server Error', error: messageOf(error) })
  }
}

/** Another program writes to the database file: whoever asks again is served. */
function isLocked(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return code === SQLITE_BUSY || code === SQLITE_LOCKED
}
