import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { fill } from '../../test/support/many-traces.ts'
import { readerOf } from '../../test/support/reader.ts'
import { type LocalService, startLocal } from '../index.ts'
import { ANSWERS, type Params } from './index.ts'
import type { QuestionName } from './parameters.ts'

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
  await fill(local, 60)
})
afterAll(() => local.close())

/** How SQLite reads observations for a question: the steps of each statement, a line each. */
async function plansOf(name: QuestionName, params: Params): Promise<string[]> {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  await ANSWERS[name](readerOf(local), params)
  const { calls, contexts } = prepare.mock
  prepare.mockRestore()
  return calls.flatMap(([sql], at) => {
    if (!/\bFROM observations\b/.test(sql)) return []
    const steps = (contexts[at] as DatabaseSync).prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
    return [steps.map(({ detail }) => detail).join('\n')]
  })
}

const BY_INDEX = /^SEARCH observations USING (COVERING )?INDEX/
/** The newest come first, so that a page is read without the rest: what is left to sort starts at the same time. */
const IN_ORDER = /startTime[<>]\?\)\n(.*\n)*USE TEMP B-TREE FOR LAST (2 TERMS|TERM) OF ORDER BY$/
/** All that fit are read: the observations of a few traces, or those that are counted. */
const WHOLE = /\(traceId[=>]\?|GROUP BY$/

const id = () => local.observations()[0]?.traceId

it.each<[QuestionName, string, Params | (() => Params)]>([
  ['list', 'the newest', {}],
  ['list', 'those before', { until: '1m' }],
  ['list', 'by a name', { name: 'answer' }],
  ['list', 'by the beginning of a name', { name: 'search*' }],
  ['list', 'by a part of a name', { name: '*search*' }],
  ['list', 'by a type', { type: 'tool' }],
  ['list', 'by a user', { user: 'user-7' }],
  ['list', 'by a session', { session: 'session-7' }],
  ['list', 'by a tag', { tag: 'web' }],
  ['list', 'by a model', { model: 'gpt-5' }],
  ['list', 'by a prompt', { prompt: 'support' }],
  ['list', 'by an environment', { environment: 'default' }],
  ['list', 'by a level', { level: 'error' }],
  ['list', 'by a latency', { latency: '1s' }],
  ['list', 'by a cost', { cost: 0.001 }],
  ['list', 'by a text', { text: 'words of 7' }],
  ['show', 'a trace', () => ({ id: id() })],
  ['show', 'a trace by the beginning of its id', () => ({ id: id()?.slice(0, 12) })],
  ['errors', 'of a day', {}],
  ['errors', 'of a user', { user: 'user-0', since: '7d' }],
  ['diff', 'of two traces', () => ({ a: id(), b: id() })],
  ['stats', 'of a day', {}],
  ['stats', 'of a session by model', { by: 'model', session: 'session-7' }],
])('%s %s: by an index, and no more than the answer has', async (name, _, params) => {
  const plans = await plansOf(name, typeof params === 'function' ? params() : params)
  expect(plans).not.toEqual([])
  for (const plan of plans) {
    expect(plan).toMatch(BY_INDEX)
    if (!WHOLE.test(plan)) expect(plan).toMatch(IN_ORDER)
  }
})
