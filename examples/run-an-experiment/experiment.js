import { RegressionError, SvcClient } from '@svc/client'
import OpenAI from 'openai'

const client = new SvcClient()
const openai = new OpenAI()
const model = process.argv[2] ?? 'gpt-4.1-mini'
const datasetName = 'capitals'

// The ids are ours: a second start writes the same items once more and makes no new ones.
const items = [
  { id: 'capital-no', input: 'Is Oslo or Bergen the capital of Norway?', expectedOutput: 'Oslo' },
  { id: 'capital-se', input: 'Is Stockholm the capital of Sweden?', expectedOutput: 'Stockholm' },
  { id: 'capital-fi', input: 'What is the capital of Finland?', expectedOutput: 'Helsinki' },
]
await client.api.datasets.create({ name: datasetName })
for (const item of items) await client.dataset.createItem({ datasetName, ...item })

/** The work under test. Calls of the model are seen by the preload, and become part of the item's trace. */
async function task({ input }, { abortSignal }) {
  const messages = [{ role: 'user', content: input }]
  const { choices } = await openai.chat.completions.create({ model, messages }, { signal: abortSignal })
  return choices[0].message.content
}

const namesIt = ({ output, expectedOutput }) => ({
  name: 'names-it',
  value: output.includes(expectedOutput) ? 1 : 0,
  comment: `looked for ${expectedOutput}`,
})
const isShort = ({ output }) => ({ name: 'is-short', value: output.length <= 200 ? 1 : 0 })

/** How many of all items got the right name: a score of the run. */
const share = ({ itemResults }) => {
  const right = itemResults.filter(({ evaluations }) =>
    evaluations.some(({ name, value }) => name === 'names-it' && value),
  )
  return { name: 'share-right', value: right.length / items.length }
}

const dataset = await client.dataset.get(datasetName)
const result = await dataset.runExperiment({
  name: 'capitals',
  runName: model,
  description: 'does it know its capitals?',
  metadata: { model },
  task,
  evaluators: [namesIt, isShort],
  runEvaluators: [share],
  timeoutInSeconds: 30,
})
console.log(await result.format({ includeItemResults: true }))

// A build that runs this fails when the model got worse.
const [{ value }] = result.runEvaluations
if (value < 0.5) throw new RegressionError({ result, metric: 'share-right', value, threshold: 0.5 })
