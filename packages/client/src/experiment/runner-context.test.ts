import { describe, expect, it, vi } from 'vitest'
import { createEvaluatorFromAutoevals } from './autoevals.ts'
import type { ExperimentResult } from './experiment-types.ts'
import { RegressionError } from './regression-error.ts'
import { RunnerContext } from './runner-context.ts'

const result = { experimentId: 'e' } as ExperimentResult
const task = () => 'Oslo'

describe('a runner context', () => {
  const run = vi.fn(async (_: object) => result)
  const client = { experiment: { run: run as never } }

  it('adds the parameters that the call leaves out', async () => {
    const data = [{ input: 'Norway' }]
    const context = new RunnerContext({ client, data, datasetVersion: 'v1', metadata: { commit: 'a', branch: 'main' } })
    expect(await context.runExperiment({ name: 'x', task, metadata: { commit: 'b' } })).toBe(result)
    const metadata = { commit: 'b', branch: 'main' }
    expect(run).toHaveBeenLastCalledWith({ name: 'x', task, data, datasetVersion: 'v1', metadata })
  })

  it('yields to the parameters of the call', async () => {
    const context = new RunnerContext<string>({ client, data: [{ input: 'a' }], datasetVersion: 'v1' })
    await context.runExperiment({ name: 'x', task, data: [{ input: 'b' }], datasetVersion: 'v2' })
    expect(run).toHaveBeenLastCalledWith({
      name: 'x',
      task,
      data: [{ input: 'b' }],
      datasetVersion: 'v2',
      metadata: undefined,
    })
  })

  it('rejects a run without data', async () => {
    await expect(new RunnerContext({ client }).runExperiment({ name: 'x', task })).rejects.toThrow(
      'svc: RunnerContext has no data: pass it to the context, or to runExperiment.',
    )
  })
})

describe('a regression', () => {
  it('names metric, value and threshold', () => {
    const error = new RegressionError({ result, metric: 'exact', value: 0.5, threshold: 0.8 })
    expect(error).toMatchObject({ name: 'RegressionError', result, metric: 'exact', value: 0.5, threshold: 0.8 })
    expect(error.message).toBe('The experiment is worse than allowed: exact is 0.5 (threshold 0.8).')
    expect(error).toBeInstanceOf(Error)
  })

  it('has the message that it is given', () => {
    expect(new RegressionError({ result, message: 'no' }).message).toBe('no')
    expect(new RegressionError({ result, metric: 'a', value: 1, message: 'no' }).message).toBe('no')
    expect(new RegressionError({ result }).message).toBe('The experiment is worse than allowed.')
  })
})

describe('an evaluator of autoevals', () => {
  it('receives the expected output as `expected`, and its score becomes an evaluation', async () => {
    const Exact = vi.fn(async ({ output, expected }: { output: unknown; expected?: unknown; model?: string }) => ({
      name: 'Exact',
      score: output === expected ? 1 : null,
      metadata: { why: 'compared' },
    }))
    const judge = createEvaluatorFromAutoevals(Exact, { model: 'gpt-5' })
    const limits = { abortSignal: new AbortController().signal }
    expect(await judge({ input: 'i', output: 'o', expectedOutput: 'o' }, limits)).toEqual({
      name: 'Exact',
      value: 1,
      metadata: { why: 'compared' },
    })
    expect(Exact).toHaveBeenCalledWith({ model: 'gpt-5', input: 'i', output: 'o', expected: 'o' })
    expect(await judge({ input: 'i', output: 'o', expectedOutput: 'p' }, limits)).toMatchObject({ value: 0 })
  })
})
