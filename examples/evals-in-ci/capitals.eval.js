import { svcExperiment } from '@svc/client/vitest'
import { answer } from './answer.js'

const { GITHUB_HEAD_REF, GITHUB_REF_NAME, GITHUB_SHA = new Date().toISOString() } = process.env
const branch = GITHUB_HEAD_REF || GITHUB_REF_NAME || 'here'

svcExperiment('capitals', {
  data: [
    { input: 'Is Oslo or Bergen the capital of Norway?', expectedOutput: 'Oslo' },
    { input: 'Is Stockholm the capital of Sweden?', expectedOutput: 'Stockholm' },
    { input: 'What is the capital of Finland?', expectedOutput: 'Helsinki' },
  ],
  task: ({ input }) => answer(input),
  evaluators: [
    ({ output, expectedOutput }) => ({ name: 'names-it', value: output.includes(expectedOutput) ? 1 : 0 }),
    ({ output }) => ({ name: 'characters', value: output.length }),
  ],
  // The mean of the one, each of the other.
  thresholds: { 'names-it': 0.6, characters: { max: 1_000 } },
  // No item may be worse than in the last run of the main branch. Lengths vary, so they are not compared.
  runName: `capitals - ${branch} - ${GITHUB_SHA}`,
  baseline: process.env.CI ? 'capitals - main' : undefined,
  tolerance: { characters: Number.POSITIVE_INFINITY },
})
