// Experiments as tests, as people write them, without annotations. Compiled by types.test.ts.
import type { ExperimentSummary } from '@svc/client/vitest'
import { svcExperiment } from '@svc/client/vitest'

svcExperiment('capitals', {
  data: [{ input: { country: 'Norway' }, expectedOutput: 'Oslo', metadata: { difficulty: 'low' } }],
  task: async ({ input, metadata }) => `${input.country.toUpperCase()} ${metadata?.difficulty.length}`,
  evaluators: [
    ({ output, expectedOutput }) => ({ name: 'exact', value: output.trim() === expectedOutput ? 1 : 0 }),
    async ({ output, input }) => [{ name: 'length', value: output.length - input.country.length }],
  ],
  runEvaluators: [
    ({ itemResults }) => ({ name: 'items', value: itemResults.map(({ output }) => output.trim()).length }),
  ],
  thresholds: { exact: 0.9, length: { max: 100 } },
  baseline: 'capitals - main',
  tolerance: { length: 2 },
  title: ({ input }) => input?.country ?? '',
})

// A dataset has the types that it was fetched with, also where it is fetched when the file is read.
svcExperiment.only('capitals', {
  data: (client) => client.dataset.get<{ country: string }, string>('capitals'),
  task: ({ input }) => input.country.length,
  evaluators: [({ output, expectedOutput }) => ({ name: 'exact', value: output.toFixed(expectedOutput?.length) })],
})
svcExperiment.skip('capitals', {
  data: async () => [{ input: 1 }],
  task: ({ input }) => input.toFixed(),
  evaluators: [({ output }) => ({ name: 'letters', value: output.length })],
})

svcExperiment('wrong', {
  data: [{ input: { country: 'Norway' } }],
  // @ts-expect-error the items have no city
  task: ({ input }) => input.city,
})
svcExperiment('wrong', {
  data: [{ input: 1 }],
  task: ({ input }) => input,
  // @ts-expect-error a threshold has mean, min and max
  thresholds: { exact: { least: 1 } },
})

export const failed = ({ items, worse }: ExperimentSummary) => [
  ...items.flatMap(({ title, error }) => (error ? [title] : [])),
  ...worse.map(({ title, before, now }) => `${title}: ${before - now}`),
]
