import { own } from '@svc/core/own'
import { type Answer, badRequest, json } from '../../http/answer.ts'
import type { Issue } from '../../http/checks.ts'
import type { Call } from '../../http/router.ts'
import type { WriteService } from '../../service.ts'
import type { Store } from '../../store/store.ts'
import { jsonBody } from '../body.ts'
import { misfitOf } from '../score-configs/check-score.ts'
import { readScore } from './read-score.ts'

/** Scores in one request (SEED, limits). */
const MAX_BATCH = 100

/** `POST /api/public/scores` (contract 5.5): one score, as a web page sends it, or a list of them. */
export async function createScores(call: Call, service: WriteService): Promise<Answer> {
  const body = await jsonBody(call)
  return Array.isArray(body) ? createBatch(body, service) : createOne(body, service)
}

function createOne(body: unknown, { store }: WriteService): Answer {
  const read = checked(readScore(body, Date.now()), store)
  if ('issues' in read) throw badRequest(read.issues)
  store.write(() => store.scores.put(read.score))
  return json(200, { id: read.score.id })
}

function createBatch(batch: readonly unknown[], { store }: WriteService): Answer {
  if (batch.length === 0 || batch.length > MAX_BATCH) {
    throw badRequest([{ path: [], message: `expected 1 to ${MAX_BATCH} scores, got ${batch.length}` }])
  }
  const now = Date.now()
  const read = batch.map((body) => ({ body, ...checked(readScore(body, now), store) }))
  const scores = read.flatMap((result) => ('score' in result ? [result.score] : []))
  const errors = read.flatMap((result) => ('issues' in result ? [errorOf(result.body, result.issues)] : []))
  store.write(() => {
    for (const score of scores) store.scores.put(score)
  })
  if (errors.length === 0) return json(202, { message: 'Accepted' })
  return json(207, { accepted: scores.length, rejected: errors.length, errors })
}

type Read = ReturnType<typeof readScore>

/** A score whose configuration is here fits it, and has its name. One that is not here is taken by its id. */
function checked(read: Read, { scoreConfigs }: Store): Read {
  if ('issues' in read || read.score.configId === null) return read
  const { score } = read
  const config = scoreConfigs.one({ id: score.configId })
  if (!config) return read
  const message = misfitOf(score, config)
  return message === undefined
    ? { score: { ...score, name: config.name } }
    : { issues: [{ path: ['configId'], message }] }
}

function errorOf(body: unknown, issues: readonly Issue[]): { message: string } {
  const name = own(Object(body), 'name')
  const called = typeof name === 'string' && name !== '' ? name : '(no name)'
  return { message: `${called}: ${issues.map(({ path, message }) => [...path, message].join(': ')).join('; ')}` }
}
