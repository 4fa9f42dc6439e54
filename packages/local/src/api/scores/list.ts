import { type Answer, json } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService, WriteService } from '../../service.ts'
import type { StoredScore } from '../../store/score.ts'
import { cursorPage } from '../cursor.ts'
import { readScoreQuery } from './query.ts'
import { scoreShape } from './shape.ts'

/** `GET /api/public/v3/scores`: newest first, a page at a time (contract 3.7 and 3.8). */
export function listScores({ query }: Call, { store }: ReadService): Answer {
  const { groups, ...listing } = readScoreQuery(query)
  const { rows, next } = cursorPage<StoredScore>({ ...listing, by: ['timestamp', 'id'] }, (clause) =>
    store.scores.find(clause),
  )
  return json(200, { data: rows.map((score) => scoreShape(score, groups)), meta: { limit: listing.limit, ...next } })
}

/** `DELETE /api/public/scores/{scoreId}`. An unknown id is no error: afterwards the score is gone either way. */
export function deleteScore({ params }: Call, { store }: WriteService): Answer {
  store.scores.remove({ sql: 'WHERE id = ?', values: [params.scoreId ?? ''] })
  return json(202, { message: 'Score deletion request received successfully' })
}
