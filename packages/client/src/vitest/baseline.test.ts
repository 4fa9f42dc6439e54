import { expect, it } from 'vitest'
import type { SvcClient } from '../client.ts'
import { readBaseline } from './baseline.ts'

const NOW = Date.parse('2026-05-01T00:00:00Z')
const WANTED = { name: 'words', baseline: undefined, datasetId: 'd', experimentId: 'this', now: NOW }

const run = (id: string, name: string, datasetId = 'd') => ({ id, name, datasetId, startTime: new Date(NOW) })

/** A service that knows no filter: it lists everything, newest first. */
function service(runs: readonly object[], items: readonly object[] = []) {
  const experiments = { list: () => each(runs), listItems: () => each(items) }
  return { api: { experiments } } as unknown as Pick<SvcClient, 'api'>
}

async function* each(all: readonly object[]) {
  yield* all
}

it('the baseline is the newest other run of the experiment over the same dataset', async () => {
  const runs = [
    run('this', 'words - now'),
    run('a', 'words-of-others - main'),
    run('b', 'words - main', 'other'),
    run('c', 'words - main'),
    run('d', 'words'),
  ]
  expect((await readBaseline(WANTED, service(runs)))?.runName).toBe('words - main')
  expect((await readBaseline({ ...WANTED, baseline: 'words-of-others' }, service(runs)))?.runName).toBe(
    'words-of-others - main',
  )
  expect(await readBaseline({ ...WANTED, baseline: 'word' }, service(runs))).toBeUndefined()
})

it('of its items the newest number of each score is compared', async () => {
  const scores = [
    { name: 'exact', value: true },
    { name: 'exact', value: false },
    { name: 'letters', value: 0.5 },
    { name: 'tone', value: 'kind' },
  ]
  const items = [
    { experimentId: 'c', experimentItemId: 'one', scores },
    { experimentId: 'other', experimentItemId: 'two', scores },
    { experimentId: 'c', experimentItemId: 'three' },
  ]
  expect((await readBaseline(WANTED, service([run('c', 'words')], items)))?.items).toEqual([
    { itemId: 'one', scores: { exact: 1, letters: 0.5 } },
    { itemId: 'three', scores: {} },
  ])
})
