import { describe, expect, it } from 'vitest'
import { type Reported, reportOf } from './report.ts'

const links = { getTraceUrl: async (id: string) => `https://svc.example.com/project/p/traces/${id}` }
const url = 'https://svc.example.com/project/p/experiments/results?baseline=e'

function reported(more: Partial<Reported> = {}): Reported {
  return {
    name: 'capitals',
    runName: 'capitals - today',
    description: undefined,
    experimentId: 'e',
    experimentUrl: url,
    datasetRunId: undefined,
    datasetRunUrl: undefined,
    itemResults: [],
    failedItems: [],
    archivedItems: [],
    runEvaluations: [],
    unsampled: 0,
    repeated: 0,
    ...more,
  }
}

const figures = { latency: 1, fetchCost: async () => undefined }
const itemResult = (input: unknown, value: number, more: object = {}) => ({
  item: { input },
  input,
  expectedOutput: 'Oslo',
  output: 'Oslo',
  evaluations: [{ name: 'exact', value }],
  evaluatorErrors: [],
  ...figures,
  traceId: 't',
  ...more,
})

describe('the report of an experiment', () => {
  it('states that there are no items', async () => {
    expect(await reportOf(reported(), links)).toBe('No experiment results to display.')
  })

  // With a list that grows by copies it took a minute.
  it('of 60,000 items blocks the process only for a moment', async () => {
    const itemResults = Array.from({ length: 60_000 }, (_, at) => itemResult(at, at % 2))
    expect(await reportOf(reported({ itemResults }), links)).toContain('exact: 0.500')
  })

  it('has the totals of all items, and how many items it does not show', async () => {
    const itemResults = [itemResult('Norway', 1), itemResult('Sweden', 0)]
    const runEvaluations = [{ name: 'pass', value: 'yes', comment: 'just' }]
    const failedItems = [{ item: { input: 'x' }, error: new Error('no'), traceId: 't', ...figures }]
    const all = reported({
      itemResults,
      runEvaluations,
      failedItems,
      description: 'nightly',
      unsampled: 1,
      repeated: 2,
      archivedItems: [{ input: 'y' }],
    })
    expect(await reportOf(all, links)).toBe(
      [
        '2 item results are not shown: format({ includeItemResults: true }) shows them.',
        '',
        '--------------------------------------------------',
        'Experiment: capitals',
        'Run name: capitals - today - nightly',
        'Items: 3 (1 failed)',
        'Archived, so left out: 1',
        'More than once in the data: 2',
        'Not sampled, so missing in the experiment: 1',
        'Evaluations: exact',
        'Average scores:',
        '  exact: 0.500',
        'Run evaluations:',
        '  pass: yes (just)',
        `Link: ${url}`,
      ].join('\n'),
    )
  })

  it('shows items with their own results and links', async () => {
    const item = { input: 'Norway', id: 'no/1', datasetId: 'd' }
    const long = 'x'.repeat(51)
    const itemResults = [
      itemResult({ country: 'Norway' }, 1 / 3, {
        item,
        evaluations: [{ name: 'exact', value: 1 / 3, comment: 'why' }],
      }),
      itemResult(long, 0, { expectedOutput: undefined, output: null, evaluations: [] }),
    ]
    const [first, second] = (await reportOf(reported({ itemResults }), links, { includeItemResults: true })).split(
      '\n\n',
    )
    expect(first).toBe(
      [
        '1. Item',
        '   Input:    {"country":"Norway"}',
        '   Expected: Oslo',
        '   Actual:   Oslo',
        '   Scores:',
        '     exact: 0.333 (why)',
        '   Dataset item: https://svc.example.com/project/p/datasets/d/items/no%2F1',
        '   Trace:    https://svc.example.com/project/p/traces/t',
      ].join('\n'),
    )
    expect(second).toBe(
      [
        '2. Item',
        `   Input:    ${'x'.repeat(47)}...`,
        '   Actual:   null',
        '   Trace:    https://svc.example.com/project/p/traces/t',
      ].join('\n'),
    )
  })

  it('has no links if the project is unknown', async () => {
    const report = await reportOf(reported({ itemResults: [itemResult('a', 1)], experimentUrl: undefined }), links, {
      includeItemResults: true,
    })
    expect(report).not.toContain('https:')
  })
})
