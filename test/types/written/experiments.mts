// Experiments as people write them, without annotations. Compiled by types.test.ts.
import {
  createEvaluatorFromAutoevals,
  type Evaluation,
  type Evaluator,
  type ExperimentItem,
  type ExperimentTask,
  RegressionError,
  type RegressionErrorMetricOptions,
  type RegressionErrorOptions,
  type RunEvaluator,
  RunnerContext,
  type RunnerContextExperimentParams,
  type RunnerContextOptions,
  SvcClient,
} from '@svc/client'

const client = new SvcClient()
const judged: Evaluation = { name: 'exact', value: 1, configId: 'config' }

// Where the type of the data is known it is the task's, and the task's output is the evaluators'.
const known = await client.experiment.run({
  name: 'capitals',
  data: [{ input: { country: 'Norway' }, expectedOutput: 'Oslo', metadata: { difficulty: 'low' } }],
  task: async ({ input, metadata }) => `${input.country.toUpperCase()} ${metadata?.difficulty.length}`,
  evaluators: [
    async ({ output, expectedOutput }) => ({ name: 'exact', value: output === expectedOutput ? 1 : 0 }),
    async ({ output }) => [{ name: 'length', value: output.length }],
    async () => judged,
  ],
  runEvaluators: [
    async ({ itemResults }) => ({ name: 'items', value: itemResults.map(({ output }) => output.trim()).length }),
  ],
})
export const outputs: string[] = known.itemResults.map(({ output }) => output)
await client.experiment.run({
  name: 'capitals',
  data: [{ input: { country: 'Norway' } }],
  // @ts-expect-error the items have no city
  task: async ({ input }) => input.city,
})

// Where it is not known, whoever wrote the data knows.
const dataset = await client.dataset.get('capitals')
const result = await dataset.runExperiment({
  name: 'capitals',
  task: async ({ input }) => `the capital of ${input.country}`,
  evaluators: [
    async ({ input, output, expectedOutput, metadata }) => ({
      name: 'exact',
      value: output.trim() === expectedOutput.capital && input.country !== metadata.country ? 1 : 0,
    }),
  ],
})
result.itemResults[0]?.output.trim()
for (const { input, expectedOutput, metadata } of dataset.items) input.country + expectedOutput + metadata.difficulty
await client.experiment.run({ name: 'capitals', data: dataset.items, task: async ({ input }) => input.country })
await client.experiment.run({ name: 'capitals', data: dataset.items, task: async (item) => item.metadata.difficulty })

const typed = await client.dataset.get<{ country: string }, string>('capitals')
await typed.runExperiment({
  name: 'capitals',
  task: async ({ input }) => input.country.toUpperCase(),
  evaluators: [async ({ output, expectedOutput }) => ({ name: 'exact', value: output === expectedOutput ? 1 : 0 })],
})
const version = new Date()
const old = await client.dataset.get('capitals', { version })
await client.experiment.run({ name: 'n', data: old.items, datasetVersion: old.version, task: async () => 1 })
export const given: string = (await client.dataset.get('capitals', { version: '2026-01-01T00:00:00Z' })).version
export const givenTime: Date = old.version

// What is used again, beside what is written on the spot.
const exact: Evaluator = async ({ output, expectedOutput }) => ({
  name: 'exact',
  value: output === expectedOutput ? 1 : 0,
})
const close: Evaluator<{ country: string }, string> = async ({ input, output, expectedOutput }) => ({
  name: 'close',
  value: output.includes(expectedOutput ?? input.country) ? 1 : 0,
})
const mean: RunEvaluator = async ({ itemResults }) => ({ name: 'mean', value: itemResults.length })
const levenshtein = createEvaluatorFromAutoevals(({ output, expected }: { output: string; expected?: string }) => ({
  name: 'Levenshtein',
  score: output === expected ? 1 : 0,
}))
const evaluators = [exact, close, levenshtein]
await client.experiment.run({
  name: 'capitals',
  data: [{ input: { country: 'Norway' }, expectedOutput: 'Oslo' }],
  task: async ({ input }) => input.country.toUpperCase(),
  evaluators: [exact, close, levenshtein, async ({ output }) => ({ name: 'length', value: output.length })],
  runEvaluators: [mean],
})
await dataset.runExperiment({
  name: 'capitals',
  task: async ({ input }) => input.country,
  evaluators: [exact, close, levenshtein],
  runEvaluators: [mean],
})
await typed.runExperiment({ name: 'capitals', task: async ({ input }) => input.country.trim(), evaluators })
await client.experiment.run({
  name: 'capitals',
  evaluators: [exact, async ({ output }) => ({ name: 'length', value: output.length })],
  task: async ({ input }) => input.country,
  data: [{ input: { country: 'Norway' } }],
})
const task: ExperimentTask = async ({ input }) => input.country
const items: ExperimentItem[] = [{ input: { country: 'Norway' } }]
await client.experiment.run({ name: 'capitals', data: items, task, evaluators: [exact] })

const options: RunnerContextOptions = { client, data: items, metadata: { commit: 'abc' } }
const context = new RunnerContext(options)
const params: RunnerContextExperimentParams = { name: 'capitals', task, evaluators: [exact] }
const run = await context.runExperiment(params)
await context.runExperiment({ name: 'capitals', task: async ({ input }) => input.country, evaluators: [exact, close] })
const metric: RegressionErrorMetricOptions = { result: run, metric: 'exact', value: 0.5, threshold: 0.9 }
const error: RegressionErrorOptions = metric
throw new RegressionError(error)
