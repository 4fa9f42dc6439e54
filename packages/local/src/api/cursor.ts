import type { SavedObservation } from '../store/columns.ts'
import type { Clause } from '../store/store.ts'

/** Newest first; ids make the order total, so that a page starts exactly where the last one ended. */
export const PAGE_ORDER = 'ORDER BY startTime DESC, traceId DESC, id DESC'

/** The place after `last`, as text that says nothing to whoever carries it. */
export function cursorAfter({ startTime, traceId, id }: SavedObservation): string {
  return Buffer.from(JSON.stringify([startTime, traceId, id])).toString('base64url')
}

/** The rows after a cursor; undefined when the text is none of ours. */
export function clauseAfter(cursor: string): Clause | undefined {
  const [startTime, traceId, id] = placeOf(cursor)
  if (!Number.isSafeInteger(startTime) || typeof traceId !== 'string' || typeof id !== 'string') return undefined
  return { sql: '(startTime, traceId, id) < (?, ?, ?)', values: [Number(startTime), traceId, id] }
}

function placeOf(cursor: string): readonly unknown[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(place) ? place : []
  } catch {
    return []
  }
}
