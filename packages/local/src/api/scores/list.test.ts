import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, refused } from '../../../test/support/api.ts'
import { type LocalService, startLocal } from '../../index.ts'

let local: LocalService
const [A, B] = ['a'.repeat(32), 'b'.repeat(32)]
const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`
const SCORES = [
  {
    id: 'numeric',
    name: 'quality',
    value: 0.5,
    traceId: A,
    timestamp: at(1),
    comment: 'fair',
    metadata: { by: 'ada' },
  },
  { id: 'boolean', name: 'polite', value: 1, dataType: 'BOOLEAN', traceId: A, observationId: 'o1', timestamp: at(2) },
  { id: 'category', name: 'tone', value: 'warm', traceId: B, timestamp: at(3), environment: 'prod' },
  { id: 'session', name: 'quality', value: 2, sessionId: 's1', timestamp: at(4), configId: 'c1', source: 'ANNOTATION' },
  { id: 'experiment', name: 'accuracy', value: 3, datasetRunId: 'e1', timestamp: at(5), queueId: 'q1' },
]

beforeAll(async () => {
  local = await startLocal()
  await call(local, 'POST /scores', SCORES)
})
afterAll(() => local.close())

const ask = (query: string) => call(local, `GET /v3/scores?${query}`)
const ids = async (query: string) => (await ask(query)).body.data.map(({ id }: { id: string }) => id)

it('scores are listed newest first with their core fields, and without a cursor on the last page', async () => {
  const { status, body } = await ask('')
  expect(status).toBe(200)
  expect(body.meta).toEqual({ limit: 50 })
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(SCORES.map(({ id }) => id).reverse())
  expect(body.data.at(-1)).toEqual({
    id: 'numeric',
    projectId: 'svc-local',
    name: 'quality',
    value: 0.5,
    dataType: 'NUMERIC',
    source: 'API',
    timestamp: at(1),
    environment: 'default',
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
})

it('a score value has the type of its data type', async () => {
  const { body } = await ask(`traceId=${A},${B}`)
  expect(body.data.map(({ value }: { value: unknown }) => value)).toEqual(['warm', true, 0.5])
})

it('score field groups add comment and metadata, the subject, the annotation', async () => {
  const { body } = await ask('fields=details,subject,annotation')
  const by = Object.fromEntries(body.data.map((score: { id: string }) => [score.id, score]))
  expect(by.numeric).toMatchObject({ comment: 'fair', metadata: { by: 'ada' }, configId: null })
  expect(by.numeric.subject).toEqual({ kind: 'trace', id: A })
  expect(by.boolean.subject).toEqual({ kind: 'observation', id: 'o1', traceId: A })
  expect(by.session.subject).toEqual({ kind: 'session', id: 's1' })
  expect(by.experiment.subject).toEqual({ kind: 'experiment', id: 'e1' })
  expect(by.experiment).toMatchObject({ queueId: 'q1', authorUserId: null })
})

describe('score filters', () => {
  it.each([
    ['id=numeric', ['numeric']],
    ['id=numeric,session', ['session', 'numeric']],
    ['name=quality', ['session', 'numeric']],
    ['source=annotation', ['session']],
    ['dataType=boolean,CATEGORICAL', ['category', 'boolean']],
    ['environment=prod', ['category']],
    ['configId=c1', ['session']],
    ['queueId=q1', ['experiment']],
    ['authorUserId=u1', []],
    ['dataType=NUMERIC&value=0.5,3', ['experiment', 'numeric']],
    ['dataType=BOOLEAN&value=true', ['boolean']],
    ['dataType=CATEGORICAL&value=warm', ['category']],
    ['dataType=NUMERIC&valueMin=1&valueMax=2', ['session']],
    [`traceId=${A}`, ['boolean', 'numeric']],
    [`traceId=${A}&observationId=o1`, ['boolean']],
    ['sessionId=s1', ['session']],
    ['experimentId=e1', ['experiment']],
    [`fromTimestamp=${at(2)}&toTimestamp=${at(4)}`, ['category', 'boolean']],
    ['name=', ['experiment', 'session', 'category', 'boolean', 'numeric']],
    ['id=nothing', []],
  ])('%s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })
})

it('a cursor pages through all scores, each once, also with equal timestamps', async () => {
  const other = await startLocal()
  const same = Array.from({ length: 7 }, (_, n) => ({ id: `s${n}`, name: 'n', value: n, traceId: A, timestamp: at(1) }))
  await call(other, 'POST /scores', same)
  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await call(other, `GET /v3/scores?limit=3&cursor=${cursor}`)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.meta.cursor ?? ''
  } while (cursor)
  expect(seen).toEqual(same.map(({ id }) => id).reverse())
  await other.close()
})

it.each([
  ['limit=101', 'limit'],
  ['limit=x', 'limit'],
  ['cursor=nonsense', 'cursor'],
  ['fields=details,all', 'fields'],
  ['source=me', 'source'],
  ['dataType=NUMBER', 'dataType'],
  ['value=1', 'value'],
  ['value=1&dataType=NUMERIC,BOOLEAN', 'value'],
  ['value=1&dataType=BOOLEAN', 'value'],
  ['value=x&dataType=TEXT', 'value'],
  ['valueMin=1', 'dataType'],
  ['valueMin=x&dataType=NUMERIC', 'valueMin'],
  ['fromTimestamp=yesterday', 'fromTimestamp'],
  ['observationId=o1', 'observationId'],
  ['traceId=a&sessionId=b', 'observationId'],
])('the score listing with %s is refused', async (query, parameter) => {
  expect(await ask(query)).toMatchObject(refused(parameter, expect.any(String)))
})

it('a score is deleted, and deleting it again is not an error', async () => {
  await call(local, 'POST /scores', { id: 'to/delete', name: 'n', value: 1, traceId: A })
  for (const _ of [1, 2]) expect(await call(local, 'DELETE /scores/to%2Fdelete')).toMatchObject({ status: 202 })
  expect(await ids('id=to/delete')).toEqual([])
})
