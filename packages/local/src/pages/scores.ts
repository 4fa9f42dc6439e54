import { type StoredScore, scoreFor } from '../store/score.ts'
import type { Store } from '../store/store.ts'
import { type Html, html } from './html.ts'

/** Most scores that are shown of one trace. */
const SHOWN = 1_000
const SHOWN_TEXT = 80

/** The scores of a trace, the first one first. */
export function scoresOfTrace(traceId: string, { scores }: Store): StoredScore[] {
  return scores.find({ sql: 'WHERE traceId = ? ORDER BY timestamp, seq LIMIT ?', values: [traceId, SHOWN] })
}

/** Name and value of scores; the comment is seen when the pointer rests on one. */
export function scoreMarks(scores: readonly StoredScore[]): Html[] {
  return scores.map((stored) => {
    const { name, comment } = stored
    return html`<span class="score" title="${comment}">${name} <b>${shownValue(stored)}</b></span>`
  })
}

function shownValue(stored: StoredScore): string {
  if (stored.dataType === 'BOOLEAN') return stored.number === 1 ? 'true' : 'false'
  const value = String(scoreFor(stored).value)
  return value.length > SHOWN_TEXT ? `${value.slice(0, SHOWN_TEXT)}…` : value
}
