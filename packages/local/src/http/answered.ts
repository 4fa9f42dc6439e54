import { foreignText } from '@svc/core/foreign-text'
import { log, messageOf } from '@svc/core/log'
import { isDiskFull, isLocked } from '../sqlite-error.ts'
import { type Answer, json, Refusal } from './answer.ts'

const RETRY = { 'retry-after': '1' }

/** Returns the answer of `handle`, or the error response for what it throws. Never rejects. */
export async function answered<T>(request: string, handle: () => Promise<T>): Promise<T | Answer> {
  try {
    return await handle()
  } catch (error) {
    if (error instanceof Refusal) return error.answer
    if (isLocked(error)) return json(503, { message: 'The database is locked', error: messageOf(error) }, RETRY)
    if (isDiskFull(error)) {
      log.once(
        'error',
        'No space is left on the disk for the data of svc-local, so writes are refused. Free some space.',
      )
      return json(503, { message: 'No space is left on the disk', error: messageOf(error) }, RETRY)
    }
    log.error(foreignText(`${request} failed: ${messageOf(error)}`, 500))
    return json(500, { message: 'Internal Server Error', error: messageOf(error) })
  }
}
