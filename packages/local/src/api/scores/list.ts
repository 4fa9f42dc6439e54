import { type Answer, json } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService, WriteService } from '../../service.ts'
import { cursorAt } from '../cursor.ts'
import { readScoreQuery } from './query.ts'
import { scoreShape } from './shape.ts'

/** `GET /api/public/v3/scores`: newest first, a page at a time (contract 3.7 and 3.8). */
export function listScores({ query }: Call, { store }: ReadService): Answer {
  const { where, groups, limit } = readScoreQuery(query)
  const conditions = where.length > 0 ? `WHERE ${where.map(({ sql }) => sql).join(' AND ')}` : ''
  // One more row than the limit: it shows whether there is a next page.
  const found = store.scores.find({
    sql: `${conditions} ORDER BY timestamp DESC, id DESC LIMIT ?`,
    values: [...where.flatMap(({ values }) => values), limit + 1],
  })
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  return json(200, {
    data: page.map((score) => scoreShape(score, groups)),
    meta: { limit, ...(last ? { cursor: cursorAt([last.timestamp, last.id]) } : {}) },
  })
}

/** `DELETE /api/public/scores/{scoreId}`. An unknown id is no error: afterwards the score is gone either way. */
export function deleteScore({ params }: Call, { store }: WriteService): Answer {
  store.scores.remove({ sql: 'WHERE id = ?', values: [params.scoreId ?? ''] })
  return json(202, { message: 'Score deletion request received successfully' })
}
