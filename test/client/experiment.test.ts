import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

const app = fileURLToPath(new URL('experiment-app.mjs', import.meta.url))
const cwd = fileURLToPath(new URL('..', import.meta.url))

type Json = Readonly<Record<string, unknown>>

/** What the app prints. */
interface Seen {
  readonly result: { experimentId: string; experimentUrl: string; datasetRunId: string; itemResults: Json[] }
  readonly report: string
  readonly before: { experiments: Json[]; items: (Json & { scores: Json[] })[] }
  readonly scores: { data: Json[] }
  readonly itemScores: { data: Json[] }
  /** Of two items; null where the service knows of none. */
  readonly costs: (number | null)[]
  readonly deleted: Json
  readonly after: { experiments: Json[]; items: Json[] }
}

it('an awaited run completes, although nothing else keeps the process alive', async () => {
  const alone = fileURLToPath(new URL('apps/experiment-alone.mjs', import.meta.url))
  // Nothing listens there: no socket is left over that would keep the process alive by chance.
  const env = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: 'http://127.0.0.1:1' }
  const { code, stdout } = await runNode(['--import', '@svc/register', alone], { cwd, env })
  expect({ code, stdout }).toEqual({ code: 0, stdout: '1 item\n' })
})

// One run of the app under the preload, over the model server; each test looks at another side of it.
describe('an experiment over a dataset, from its first item to its deletion', () => {
  let service: Service
  let ended: Ended
  let seen: Seen
  beforeAll(async () => {
    service = await startService()
    ended = await runNode(['--import', '@svc/register', app], { cwd, env: service.env })
    seen = JSON.parse(ended.stdout)
  })
  afterAll(() => service.close())

  const item = (id: string) => seen.before.items.find(({ experimentItemId }) => experimentItemId === id)

  it('completes, with one warning about the failed item', () => {
    const lines = ended.stderr.trim().split('\n')
    expect(ended.code).toBe(0)
    expect(lines.map((line) => line.replace(/^.*?SDK\] /, ''))).toEqual([
      '[ERROR] experiment "sums": an item failed and has no result: seven is too much',
      '[ERROR] evaluator unsure failed, so its score is missing: no opinion',
    ])
  })

  it('is one experiment with all 20 items, including the failed one', () => {
    const { experimentId, experimentUrl, datasetRunId } = seen.result
    expect(seen.before.experiments).toMatchObject([
      { id: experimentId, name: 'sums, first try', description: 'twenty sums', itemCount: 20 },
    ])
    expect(seen.before.items).toHaveLength(20)
    expect(new Set(seen.before.items.map(({ traceId }) => traceId)).size).toBe(20)
    expect(datasetRunId).toBe(experimentId)
    const path = `/project/svc-local/experiments/results?baseline=${experimentId}`
    expect(experimentUrl).toBe(service.local.url + path)
    expect(item('sum-7')).toMatchObject({ level: 'ERROR', input: { a: 7, b: 1 }, output: null, scores: [] })
  })

  it('tells what an item took, and which of its evaluators failed', () => {
    expect(seen.costs).toEqual([null, 0.5])
    const { latency, evaluatorErrors } = seen.result.itemResults.at(-1) ?? {}
    expect([typeof latency, evaluatorErrors]).toEqual(['number', [{ evaluator: 'unsure', error: {} }]])
  })

  it('has each item with its input, output, metadata and scores', () => {
    expect(seen.result.itemResults).toHaveLength(19)
    expect(item('sum-3')).toMatchObject({
      environment: 'sdk-experiment',
      input: { a: 3, b: 1 },
      output: 0,
      expectedOutput: 4,
      metadata: { even: false, model: 'gpt-test', experiment_name: 'sums', dataset_item_id: 'sum-3' },
    })
    const scoresOfItem = item('sum-3')?.scores.map(({ name, value, comment }) => ({ name, value, comment }))
    expect(scoresOfItem?.sort((a, b) => String(a.name).localeCompare(String(b.name)))).toEqual([
      { name: 'exact', value: 0, comment: null },
      { name: 'opinion', value: 'fine', comment: 'of 3' },
    ])
    expect(item('sum-11')?.scores.map(({ name, value }) => [name, value])).toEqual([['exact', 1]])
  })

  it('can be read by scores of items and of the run', () => {
    expect(seen.itemScores.data.map(({ name }) => name).sort()).toEqual(['exact', 'opinion'])
    expect(seen.itemScores.data[0]?.subject).toMatchObject({ kind: 'observation' })
    expect(seen.scores.data).toMatchObject([
      { name: 'share', value: 0.95, subject: { kind: 'experiment', id: seen.result.experimentId } },
    ])
  })

  it('has a report', () => {
    expect(seen.report.split('\n').slice(3)).toEqual([
      'Experiment: sums',
      'Run name: sums, first try - twenty sums',
      'Items: 20 (1 failed)',
      'Evaluations: exact, opinion',
      'Average scores:',
      '  exact: 0.947',
      'Run evaluations:',
      '  share: 0.950 (of the items have a result)',
      `Link: ${seen.result.experimentUrl}`,
    ])
  })

  it('sends only spans and scores, and nothing to dataset-run-items', () => {
    const posts = service.local.calls().filter(({ method }) => method === 'POST')
    expect(new Set(posts.map(({ path }) => path))).toEqual(
      new Set(['/api/public/v2/datasets', '/api/public/dataset-items', '/api/public/scores']),
    )
    expect(service.models.requests()).toHaveLength(19)
  })

  it('is deleted with the traces of its items', () => {
    expect(seen.deleted).toEqual({ deletedTraces: 20 })
    expect(seen.after).toEqual({ experiments: [], items: [] })
    expect(service.local.traces()).toEqual([])
    const deletions = service.local.calls().filter(({ method }) => method === 'DELETE')
    expect(deletions.map(({ path }) => path)).toEqual(['/api/public/traces'])
  })
})
