import {
  AlwaysOffSampler,
  InMemorySpanExporter,
  type Sampler,
  SamplingDecision,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { claimRuntime, releaseRuntime } from '@svc/core/registry'
import { setSvcTracerProvider } from '@svc/tracing'
import { describe, expect, it, vi } from 'vitest'
import { useLaboratory } from './experiment-support.ts'

const exact = ({ output, expectedOutput }: { output: unknown; expectedOutput?: unknown }) => ({
  name: 'exact',
  value: output === expectedOutput ? 1 : 0,
})
const countries = [
  { input: 'Norway', expectedOutput: 'Oslo' },
  { input: 'Sweden', expectedOutput: 'Stockholm' },
]
const capitals: Record<string, string> = { Norway: 'Oslo', Sweden: 'Gothenburg' }
const capitalOf = async ({ input }: { input: string }) => capitals[input]

describe('an experiment run', () => {
  const laboratory = useLaboratory()

  it('returns the results of all items in order, and stores their evaluations', async () => {
    const { experiment, scores, flushes, spans } = laboratory()
    const result = await experiment.run({
      name: 'capitals',
      data: countries,
      task: capitalOf,
      evaluators: [exact],
      runEvaluators: [({ itemResults }) => ({ name: 'items', value: itemResults.length, comment: 'counted' })],
    })
    // Items run at once: which of them ends first is a matter of chance.
    const contexts = spans('experiment-item-run').map((span) => span.spanContext())
    const [first, second] = result.itemResults.map((item) => contexts.find(({ traceId }) => traceId === item.traceId))
    expect([first, second]).toEqual([expect.anything(), expect.anything()])
    expect(result).toMatchObject({
      experimentUrl: `https://svc.example.com/project/p/experiments/results?baseline=${result.experimentId}`,
      runName: 'capitals - 2026-01-02T03:04:05.000Z',
      itemResults: [
        { item: countries[0], input: 'Norway', expectedOutput: 'Oslo', output: 'Oslo' },
        { item: countries[1], output: 'Gothenburg', evaluations: [{ name: 'exact', value: 0 }] },
      ],
      failedItems: [],
      runEvaluations: [{ name: 'items', value: 2, comment: 'counted' }],
    })
    expect(scores).toHaveLength(3)
    expect(scores).toEqual(
      expect.arrayContaining([
        { traceId: first?.traceId, observationId: first?.spanId, name: 'exact', value: 1 },
        { traceId: second?.traceId, observationId: second?.spanId, name: 'exact', value: 0 },
        { datasetRunId: result.experimentId, name: 'items', value: 2, comment: 'counted' },
      ]),
    )
    expect(flushes()).toBe(1)
    expect(await result.format()).toContain('exact: 0.500')
  })

  it('over a dataset has an id derived from project, dataset and run name', async () => {
    const { experiment, project } = laboratory()
    project('7a88fb47-b4e2-43b8-a06c-a5ce950dc53a')
    const data = [{ id: 'i', datasetId: 'cm9x1dataset0000000000001', input: 1 }]
    const run = () => experiment.run({ name: 'x', runName: 'my-run', data, task: () => 2 })
    const [one, two] = [await run(), await run()]
    const experimentId = '39b18b1d11ecd986'
    expect(one).toMatchObject({ experimentId, datasetRunId: experimentId, datasetRunUrl: one.experimentUrl })
    expect(one.itemResults[0]?.datasetRunId).toBe(experimentId)
    expect(two.experimentId).toBe(experimentId)
  })

  it('over local data is a new experiment each time', async () => {
    const { experiment } = laboratory()
    const run = () => experiment.run({ name: 'x', runName: 'my-run', data: countries, task: capitalOf })
    expect((await run()).experimentId).not.toBe((await run()).experimentId)
  })

  it('over several datasets becomes several experiments, with a warning', async () => {
    const { experiment, spans, lines } = laboratory()
    const data = ['a', 'b', 'a'].map((datasetId, at) => ({ id: `i${at}`, datasetId, input: at }))
    const result = await experiment.run({ name: 'x', runName: 'r', data, task: ({ input }) => input })
    const ids = spans().map(({ attributes }) => attributes['svc.experiment.id'])
    expect(ids[0]).toBe(result.experimentId)
    expect(ids[2]).toBe(result.experimentId)
    expect(ids[1]).not.toBe(result.experimentId)
    expect(result.itemResults[1]?.datasetRunId).toBe(ids[1])
    expect(lines()).toEqual([
      'svc: [WARN] the items of run "r" are of 2 datasets, so it becomes 2 experiments. Run one dataset at a time.',
    ])
  })

  it('with an unknown project has a random id, no link, and a warning', async () => {
    const { experiment, project, lines } = laboratory()
    project(new Error('down'))
    const data = [{ id: 'i', datasetId: 'd', input: 1 }]
    const result = await experiment.run({ name: 'x', data, task: () => 1 })
    expect(result).toMatchObject({ experimentId: expect.stringMatching(/^[0-9a-f]{16}$/), experimentUrl: undefined })
    expect(await result.format({ includeItemResults: true })).not.toContain('https:')
    expect(lines()).toEqual([
      'svc: [WARN] the project of the keys could not be fetched, so an experiment has a random id and no link: down',
    ])
  })

  it('without items resolves at once', async () => {
    const { experiment, flushes } = laboratory()
    const result = await experiment.run({ name: 'x', data: [], task: () => 1 })
    expect(await result.format()).toBe('No experiment results to display.')
    expect(flushes()).toBe(1)
  })

  it('skips failing items, and pairs the others with their own results', async () => {
    const { experiment, lines } = laboratory()
    const data = [{ input: 1 }, { expectedOutput: 2 }, { input: 3, expectedOutput: 3 }]
    const task = async ({ input }: { input?: number }) => {
      if (input === 1) throw new Error('no model')
      return input
    }
    const result = await experiment.run({ name: 'x', data, task, evaluators: [exact] })
    expect(result.itemResults).toMatchObject([{ item: data[2], output: 3, evaluations: [{ value: 1 }] }])
    expect(result.failedItems).toMatchObject([
      { item: data[0], error: new Error('no model'), traceId: expect.stringMatching(/^[0-9a-f]{32}$/) },
      { item: data[1], error: new TypeError('the item has no input') },
    ])
    expect(await result.format({ includeItemResults: true })).toContain('1. Item\n   Input:    3')
    // Items run at once: which of them fails first is a matter of chance.
    expect(lines().toSorted()).toEqual([
      'svc: [ERROR] experiment "x": an item failed and has no result: no model',
      'svc: [ERROR] experiment "x": an item failed and has no result: the item has no input',
    ])
  })

  it('leaves out archived items of datasets, wherever the data is from, and the result has them', async () => {
    const { experiment, lines } = laboratory()
    const item = (id: string, status: string) => ({ id, datasetId: 'd', input: id, status })
    const data = [item('a', 'ACTIVE'), item('b', 'ARCHIVED'), { input: 'own', status: 'ARCHIVED' }]
    const task = ({ input }: { input: string }) => input
    const result = await experiment.run({ name: 'x', data, task })
    expect(result.itemResults.map(({ output }) => output)).toEqual(['a', 'own'])
    expect(result.archivedItems).toEqual([data[1]])
    expect(await result.format()).toContain('Archived, so left out: 1')
    expect(lines()).toEqual([expect.stringContaining('1 archived of 3 items are left out of the run')])
    expect((await experiment.run({ name: 'x', data, task, includeArchived: true })).itemResults).toHaveLength(3)
  })

  it('says which item is more than once in the data', async () => {
    const { experiment, lines } = laboratory()
    const [one, other] = ['a', 'b'].map((id) => ({ id, datasetId: 'd', input: 1 }))
    const data = [one, other, one, one, other] as { input: number }[]
    const result = await experiment.run({ name: 'x', data, task: ({ input }) => input })
    expect(result.itemResults).toHaveLength(5)
    expect(await result.format()).toContain('More than once in the data: 2')
    expect(lines().filter((line) => line.includes('the same item more than once'))).toHaveLength(1)
  })

  it('keeps errors of evaluators, and what an item took', async () => {
    const { experiment } = laboratory()
    const reason = { code: 429 }
    const broken = () => Promise.reject(reason)
    const task = ({ input }: { input: number }) => {
      if (input === 2) throw new Error('no')
      return input
    }
    const { itemResults, failedItems } = await experiment.run({
      ...{ name: 'x', data: [{ input: 1 }, { input: 2 }], task, evaluators: [broken, exact] },
    })
    expect(itemResults).toMatchObject([
      { evaluatorErrors: [{ evaluator: 'broken', error: reason }], evaluations: [{}] },
    ])
    for (const { latency } of [...itemResults, ...failedItems]) expect(latency).toBeGreaterThan(0)
    expect(await itemResults[0]?.fetchCost()).toBe(1.5)
  })

  it('continues if a task throws synchronously', async () => {
    const { experiment } = laboratory()
    const task = () => {
      throw new Error('at once')
    }
    expect(await experiment.run({ name: 'x', data: [{ input: 1 }], task })).toMatchObject({ itemResults: [] })
  })

  it('gives up a task at its time limit, and aborts its signal', async () => {
    const { experiment, spans } = laboratory()
    let taskSignal: AbortSignal | undefined
    const task = ({ input }: { input: number }, { abortSignal }: { abortSignal: AbortSignal }) => {
      if (input === 2) return 'done'
      taskSignal = abortSignal
      return new Promise<never>(() => {})
    }
    const data = [{ input: 1 }, { input: 2 }]
    const result = await experiment.run({ name: 'x', data, task, timeoutInSeconds: 0.01, maxConcurrency: 1 })
    expect(result.itemResults.map(({ output }) => output)).toEqual(['done'])
    expect(String(result.failedItems[0]?.error)).toBe('Error: the task took longer than 0.01 s (timeoutInSeconds)')
    expect(taskSignal?.aborted).toBe(true)
    expect(spans('experiment-item-run')).toHaveLength(2)
  })

  it('that is aborted starts nothing more, keeps its evaluations, and rejects with the reason', async () => {
    const { experiment, scores, flushes, spans } = laboratory()
    const controller = new AbortController()
    const began: number[] = []
    const task = async ({ input }: { input: number }) => {
      began.push(input)
      if (input === 1) return 1
      controller.abort(new Error('enough'))
      return new Promise<never>(() => {})
    }
    const data = [1, 2, 3].map((input) => ({ input, expectedOutput: input }))
    const { signal: abortSignal } = controller
    const run = experiment.run({ name: 'x', data, task, evaluators: [exact], maxConcurrency: 1, abortSignal })
    await expect(run).rejects.toThrow('enough')
    expect(began).toEqual([1, 2])
    expect(scores).toMatchObject([{ name: 'exact', value: 1 }])
    expect(flushes()).toBe(1)
    expect(spans('experiment-item-run')).toHaveLength(2)
  })

  it('is recorded by the provider for observations, which it flushes', async () => {
    const { experiment, spans } = laboratory()
    const exporter = new InMemorySpanExporter()
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
    const flushed = vi.spyOn(provider, 'forceFlush')
    const pipeline = vi.fn(async () => {})
    claimRuntime({ owner: 'test', attach: () => {}, forceFlush: pipeline, shutdown: async () => {} })
    setSvcTracerProvider(provider)
    try {
      await experiment.run({ name: 'x', data: [{ input: 1, id: 7 }], task: ({ input }) => input })
    } finally {
      setSvcTracerProvider(null)
      releaseRuntime()
    }
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['experiment-item-run'])
    expect(flushed).toHaveBeenCalledTimes(1)
    expect(pipeline).not.toHaveBeenCalled()
    expect(spans()).toEqual([])
  })

  it('that is aborted before it starts leaves nothing', async () => {
    const { experiment, spans } = laboratory()
    const abortSignal = AbortSignal.abort(new Error('enough'))
    await expect(experiment.run({ name: 'x', data: countries, task: capitalOf, abortSignal })).rejects.toThrow('enough')
    expect(spans()).toEqual([])
  })

  it('flushes the pipeline of the process', async () => {
    const forceFlush = vi.fn(async () => {})
    claimRuntime({ owner: 'test', attach: () => {}, forceFlush, shutdown: async () => {} })
    await laboratory().experiment.run({ name: 'x', data: countries, task: capitalOf })
    releaseRuntime()
    expect(forceFlush).toHaveBeenCalledTimes(1)
  })

  it('respects its concurrency limit', async () => {
    const { experiment } = laboratory()
    let [running, most] = [0, 0]
    const task = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
    }
    const data = Array.from({ length: 20 }, (_, input) => ({ input }))
    await experiment.run({ name: 'x', data, task, maxConcurrency: 3 })
    expect(most).toBe(3)
  })
})

/** Spans that the process records and does not send. */
const recordOnly: Sampler = { shouldSample: () => ({ decision: SamplingDecision.RECORD }) }

describe.each([
  ['drops', new AlwaysOffSampler()],
  ['only lets be recorded', recordOnly],
])('an experiment run whose items a sampler %s', (_, sampler) => {
  const laboratory = useLaboratory({ sampler })

  it('warns once, links no trace, and stores only the scores of the run', async () => {
    const { experiment, scores, spans, lines } = laboratory()
    const result = await experiment.run({
      name: 'capitals',
      data: countries,
      task: capitalOf,
      evaluators: [exact],
      runEvaluators: [() => ({ name: 'run', value: 1 })],
    })
    expect(spans()).toEqual([])
    expect(result.itemResults.map(({ traceId, evaluations }) => [traceId, evaluations.length])).toEqual([
      [undefined, 1],
      [undefined, 1],
    ])
    expect(scores).toEqual([{ datasetRunId: result.experimentId, name: 'run', value: 1 }])
    expect(lines()).toEqual([
      'svc: [WARN] experiment "capitals": a sampler drops items, so they will be missing in the experiment. ' +
        'Set OTEL_TRACES_SAMPLER=always_on while it runs.',
    ])
    const report = await result.format({ includeItemResults: true })
    expect(report).toContain('Not sampled, so missing in the experiment: 2')
    expect(report).not.toContain('Trace:')
  })
})

describe('an experiment run without a pipeline', () => {
  const laboratory = useLaboratory('nothing recorded')

  it('warns with the remedy, sends no requests, and returns its results', async () => {
    const { experiment, scores, project, lines } = laboratory()
    project(new Error('not to be asked'))
    const result = await experiment.run({ name: 'capitals', data: countries, task: capitalOf, evaluators: [exact] })
    expect(result.itemResults.map(({ output, traceId }) => [output, traceId])).toEqual([
      ['Oslo', undefined],
      ['Gothenburg', undefined],
    ])
    expect(result.experimentUrl).toBe(undefined)
    expect(scores).toEqual([])
    expect(lines()).toEqual([
      'svc: [WARN] experiment "capitals" is not recorded, because no tracer provider is registered. ' +
        'Start Node with --import @svc/register.',
    ])
  })
})
