import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '../../../test/support/api.ts'
import { fill } from '../../../test/support/many-traces.ts'
import { type LocalService, startLocal } from '../../index.ts'
import type { TraceList } from './trace-list.ts'

let local: LocalService
beforeAll(async () => {
  local = await startLocal({ token: false })
  await fill(local, 7)
})
afterAll(() => local.close())

async function list(query: string): Promise<TraceList> {
  const response = await fetch(`${local.url}/viewer/traces?${query}`)
  return (await response.json()) as TraceList
}

it.each([
  ['', 7, 7],
  ['limit=5', 5, 7],
  ['limit=7', 7, 7],
  ['limit=5&offset=5', 2, 7],
  ['limit=5&offset=7', 0, 7],
  ['limit=5&offset=100', 0, 7],
  ['search=zzzz', 0, 0],
  ['search=zzzz&offset=5', 0, 0],
])('a page says how many traces fit: ?%s', async (query, listed, total) => {
  const { data, total: all } = await list(query)
  expect([data.length, all]).toEqual([listed, total])
})

it('a search finds the beginning of an id, a part of a name or tag, and words of what was said', async () => {
  const [newest] = (await list('limit=1')).data
  const found = async (words: string) => (await list(`search=${encodeURIComponent(words)}`)).total
  expect(await found(newest?.traceId.slice(0, 12).toUpperCase() ?? '')).toBe(1)
  expect(await found('/CHA')).toBe(7)
  expect(await found('arch_do')).toBe(7)
  expect(await found('WEB')).toBe(4)
  expect(await found('question ans')).toBe(7)
})

it('is sorted by a score, of several of a trace by their average, and traces without it come last', async () => {
  const [first, second, third] = (await list('sort=time&order=asc')).data.map(({ traceId }) => traceId)
  for (const [traceId, value] of [
    [first, 0.4],
    [second, 0.9],
    [second, 0.1],
    [third, 0.7],
  ]) {
    await call(local, 'POST /scores', { name: 'quality', value, traceId })
  }
  const sorted = async (order: string) =>
    (await list(`sort=score:quality&order=${order}`)).data.map(({ traceId }) => traceId)
  expect((await sorted('desc')).slice(0, 3)).toEqual([third, second, first])
  expect((await sorted('asc')).slice(0, 3)).toEqual([first, second, third])
  const refused = await fetch(`${local.url}/viewer/traces?sort=quality`)
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('score: and a name')])
})
