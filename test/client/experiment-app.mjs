// A dataset from its first item to the deletion of its experiment. Says what it saw as one line of JSON.
import { SvcClient } from '@svc/client'
import { startActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'

const client = new SvcClient()
const openai = new OpenAI()
const datasetName = 'arithmetic/sums'

await client.api.datasets.create({ name: datasetName })
for (let at = 0; at < 20; at += 1) {
  const item = { id: `sum-${at}`, input: { a: at, b: 1 }, expectedOutput: at + 1, metadata: { even: at % 2 === 0 } }
  await client.dataset.createItem({ datasetName, ...item })
}

const dataset = await client.dataset.get(datasetName, { version: new Date() })
const result = await dataset.runExperiment({
  name: 'sums',
  runName: 'sums, first try',
  description: 'twenty sums',
  metadata: { model: 'gpt-test' },
  maxConcurrency: 5,
  async task({ input: { a, b } }) {
    if (a === 7) throw new Error('seven is too much')
    const messages = [{ role: 'user', content: `${a} + ${b}` }]
    await openai.chat.completions.create({ model: 'gpt-test', messages })
    const priced = (call) => call.update({ costDetails: { total: 0.25 } })
    if (a === 4) for (const name of ['one', 'other']) startActiveObservation(name, priced, { asType: 'generation' })
    return a === 3 ? 0 : a + b
  },
  evaluators: [
    ({ output, expectedOutput }) => ({ name: 'exact', value: output === expectedOutput ? 1 : 0 }),
    function unsure({ input: { a } }) {
      if (a > 10) throw new Error('no opinion')
      return { name: 'opinion', value: 'fine', comment: `of ${a}` }
    },
  ],
  runEvaluators: [
    ({ itemResults }) => ({ name: 'share', value: itemResults.length / 20, comment: 'of the items have a result' }),
  ],
})

const read = async () => {
  const fromStartTime = new Date(0)
  const { data: experiments } = await client.api.experiments.list({ datasetId: dataset.id, fromStartTime })
  const items = []
  const filter = { experimentId: result.experimentId, fromStartTime, fields: 'core,io,metadata,scores', limit: 7 }
  for await (const item of client.api.experiments.listItems(filter)) items.push(item)
  return { experiments, items }
}

const before = await read()
const scores = await client.api.scores.getMany({ experimentId: result.experimentId, fields: 'subject,details' })
const itemScores = await client.api.scores.getMany({
  traceId: result.itemResults[0].traceId,
  fields: 'subject,details',
})
const costs = await Promise.all(result.itemResults.slice(3, 5).map((each) => each.fetchCost()))
const deleted = await client.experiment.delete({ id: result.experimentId, datasetId: dataset.id })
const after = await read()
const report = await result.format()
console.log(JSON.stringify({ result, report, before, scores, itemScores, costs, deleted, after }))
