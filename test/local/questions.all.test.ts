import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createApi } from '@svc/client/api'
import { type LocalService, startLocal } from '@svc/local'
import { ANSWERS, type Answered, asMarkdown, type Params } from '@svc/local/questions'
import { Tiktoken } from 'js-tiktoken/lite'
import o200k from 'js-tiktoken/ranks/o200k_base'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fill } from '../../packages/local/test/support/many-traces.ts'

const TRACES = 100_000
const TOKENS = 2_000

let local: LocalService
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-questions-'))
  const db = join(folder, 'svc.db')
  const first = await startLocal({ db })
  await fill(first, 1)
  await first.close()
  multiply(db)
  local = await startLocal({ db })
}, 600_000)
afterAll(async () => {
  await local.close()
  rmSync(folder, { recursive: true })
})

/** Makes many traces of the one in the file: a week of them, the search slower since yesterday, one in 50 failed. */
function multiply(db: string): void {
  const database = new DatabaseSync(db)
  const columns = database.prepare("SELECT name FROM pragma_table_info('observations') WHERE name <> 'seq'").all()
  const isRecent = `m.n > ${TRACES} - 14400`
  const isFailed = "m.n % 50 = 0 AND o.name = 'search_docs'"
  const made: Readonly<Record<string, string>> = {
    traceId: 'm.traceId',
    id: "substr(m.traceId, 1, 15) || CASE o.type WHEN 'AGENT' THEN 1 WHEN 'TOOL' THEN 2 ELSE 3 END",
    parentId: "CASE WHEN o.parentId IS NULL THEN NULL ELSE substr(m.traceId, 1, 15) || '1' END",
    startTime: 'o.startTime - m.age',
    endTime: `o.endTime - m.age - CASE WHEN o.type <> 'GENERATION' AND NOT ${isRecent} THEN 300000 ELSE 0 END`,
    level: `CASE WHEN ${isFailed} THEN 'ERROR' ELSE 'DEFAULT' END`,
    statusMessage: `CASE WHEN ${isFailed} THEN 'index ' || m.n || ' timed out after 5000 ms' END`,
    userId: "'user-' || (m.n % 500)",
    sessionId: "'session-' || (m.n % 2000)",
    release: "CASE WHEN m.n % 3 = 0 THEN '1.4.0' ELSE '1.5.0' END",
    promptVersion: 'CASE WHEN o.promptName IS NULL THEN NULL WHEN m.n % 500 = 7 THEN 4 ELSE 3 END',
    model: "CASE WHEN o.model IS NULL THEN NULL WHEN m.n % 4 = 0 THEN 'gpt-5' ELSE 'gpt-5-mini' END",
    input: "replace(o.input, '0', m.n)",
    output: "replace(o.output, '0', m.n)",
  }
  const names = columns.map(({ name }) => String(name))
  database.exec(`
    CREATE TEMP TABLE made AS
      WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < ${TRACES})
      SELECT n, lower(hex(randomblob(16))) AS traceId, (${TRACES} - n + 1) * 6000000 AS age FROM counter;
    CREATE TEMP TABLE one AS SELECT * FROM observations;
    INSERT INTO observations (${names.join(', ')})
      SELECT ${names.map((name) => made[name] ?? `o.${name}`).join(', ')} FROM made m, one o ORDER BY m.n;
    DELETE FROM observations WHERE traceId IN (SELECT traceId FROM one)`)
  database.close()
}

const tokenizer = new Tiktoken(o200k)

type Step = readonly [name: keyof typeof ANSWERS, params: Params | ((before: Answered) => Params)]

const ids = ({ rows }: Answered) => rows.map(({ data }) => String(data?.traceId))

const QUESTIONS: readonly (readonly [question: string, steps: readonly Step[], answer: RegExp])[] = [
  [
    'which tool failed last, with which arguments',
    [['errors', { type: 'tool' }]],
    /288× {2}TOOL search_docs: index 100000 timed out[\s\S]*"query":"words of 100000"/,
  ],
  ['what got slower since yesterday', [['stats', { sort: 'slower' }]], /search_docs .* p50 600 ms \(\+100 %\)/],
  [
    'which prompt version did user 7 see last',
    [
      ['list', { user: 'user-7', limit: 1 }],
      ['show', (before) => ({ id: ids(before)[0] })],
    ],
    /prompt=support v4/,
  ],
  [
    'what did this session cost',
    [['stats', { session: 'session-11', since: '30d' }]],
    /all: 150 observations .*\$0\.10/,
  ],
  ['which users hit a failure in the last hour', [['list', { level: 'ERROR', since: '1h' }]], /user=user-0/],
  [
    'what was the model asked last',
    [
      ['list', { limit: 1 }],
      ['show', (before) => ({ id: ids(before)[0]?.slice(0, 12) })],
    ],
    /user: question/,
  ],
  [
    'which traces took longer than a second today',
    [['list', { latency: '1s', since: '24h' }]],
    /POST \/chat {2}1\.40 s/,
  ],
  ['what does each model cost', [['stats', { by: 'model' }]], /gpt-5-mini {2}10\d\d\d× /],
  ['where did somebody ask this', [['list', { text: 'question 99990' }]], /1 trace, .*\n[\s\S]*user=user-490/],
  ['is the new release worse', [['stats', { by: 'release' }]], /1\.5\.0 .*failed[\s\S]*1\.4\.0 .*failed/],
  [
    'how do the last two traces differ',
    [
      ['list', { limit: 2 }],
      ['diff', (before) => ({ a: ids(before)[1], b: ids(before)[0] })],
    ],
    /First difference, at observation 2/,
  ],
  ['what failed for user 100', [['errors', { user: 'user-100', since: '7d' }]], /200× {2}TOOL search_docs/],
]

it.each(QUESTIONS)('%s: two calls at most, each within its tokens', async (_, steps, expected) => {
  const { publicKey, secretKey, url: baseUrl } = local
  const api = createApi({ publicKey, secretKey, baseUrl })
  let answered: Answered = { title: '', rows: [] }
  let text = ''
  expect(steps.length).toBeLessThanOrEqual(2)
  for (const [name, params] of steps) {
    const asked = typeof params === 'function' ? params(answered) : params
    answered = await ANSWERS[name](api, asked)
    text = asMarkdown(answered, { maxTokens: TOKENS, ask: (more) => JSON.stringify(more) })
    expect(tokenizer.encode(text).length, text).toBeLessThanOrEqual(TOKENS)
  }
  expect(text).toMatch(expected)
})
