import { svcExperiment } from '@svc/client/vitest'

// Run by experiment-tests.test.ts and its .all, which say by variables what comes of it.
const { TASK = '', OPTIONS = '{}', KIND } = process.env
const given = JSON.parse(OPTIONS)
const declare = KIND ? svcExperiment[KIND] : svcExperiment

declare('words', {
  data: [
    { input: 'one', expectedOutput: 'ONE' },
    { input: 'two', expectedOutput: 'TWO' },
    { input: { word: 'three' }, expectedOutput: 'THREE' },
  ],
  task: ({ input }) => {
    const word = input.word ?? input
    if (TASK === `throws at ${word}`) throw new Error(`cannot write ${word}`)
    if (TASK === `never ends at ${word}`) return new Promise(() => {})
    return TASK === `is wrong at ${word}` ? '?' : word.toUpperCase()
  },
  evaluators: [
    ({ output, expectedOutput }) => ({ name: 'right', value: output === expectedOutput ? 1 : 0, comment: 'compared' }),
    ({ output }) => ({ name: 'letters', value: output.length }),
  ],
  runEvaluators: [({ itemResults }) => ({ name: 'answers', value: itemResults.length })],
  ...given,
  ...(given.dataset ? { data: (client) => client.dataset.get(given.dataset) } : {}),
})

if (KIND === 'only') svcExperiment('others', { data: [{ input: 1 }], task: () => 1 })
if (KIND === 'skip') svcExperiment('others', { data: [{ input: 1 }], task: () => 1 })
