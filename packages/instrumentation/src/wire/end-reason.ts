import { asRecord } from '../gen-ai/read.ts'
import { getTimeout, isCancellation } from '../record/error.ts'

/** What undici says where the application left a body unread: it cancelled or destroyed it. */
const UNREAD = new Set(['The operation was aborted.', 'Request aborted'])

/** Why Node aborted a request: the reason of a signal. A loop that is left has none. */
export function readAbortReason(error: unknown): unknown {
  const { code, cause } = asRecord(error)
  return code === 'ABORT_ERR' ? cause : error
}

/** Whether the application stopped reading the response, as leaving a loop over it does. */
export function isStoppedByReader(error: unknown): boolean {
  return error === undefined || error === null || (error instanceof Error && UNREAD.has(error.message))
}

/**
 * Whether the application aborted the request. Its reason may be anything, where all errors of Node and undici have a
 * code, and those of `fetch` in Deno are TypeErrors.
 */
export function stoppedByCaller(error: unknown): boolean {
  if (getTimeout({ reason: error }) || error instanceof TypeError) return false
  return isCancellation(error) || asRecord(error).code === undefined
}
