import { type Evaluator, SvcClient, type LinkDatasetItemFunction } from '@svc/client'
import type { DatasetRun, IngestionEvent, ScoreV1, Trace, TraceBody } from '@svc/core'
import { SvcSpanProcessor } from '@svc/otel'
import { createTraceAttributes, setActiveTraceIO, startActiveObservation, startObservation, type SvcTraceAttributes } from '@svc/tracing'

const client = new SvcClient()
export type Gone = [DatasetRun, IngestionEvent, ScoreV1, Trace, TraceBody]

const { api: { legacy: { scoreV1: oldScores } } } = client
await oldScores.delete('a')

await client.fetchTrace('trace-id')
await client.fetchTraces({ userId: 'ada' })
await client.fetchObservation('observation-id')
await client.fetchObservations({ type: 'GENERATION' })
await client.fetchSessions()
await client.api.trace.get('trace-id')
await client.api.trace.list({ userId: 'ada' })
await client.api.sessions.get('session-id')
await client.api.legacy.observationsV1.getMany({ traceId: 'trace-id' })
const { id } = await client.api.scores.create({ name: 'exact', value: 1 })
await client.api.scores.getById(id)
await client.api.scores.getMany({ page: 1, userId: 'ada' })
await client.getDatasetRun({ datasetName: 'capitals', runName: 'gpt-5' })
await client.getDatasetRuns('capitals')
await client.api.datasets.getRun('capitals', 'gpt-5')
await client.api.datasets.getRuns('capitals')
await client.api.datasets.deleteRun('capitals', 'gpt-5')
await client.api.datasetRunItems.list({ datasetId: 'dataset-id', runName: 'gpt-5' })
await client.api.datasetRunItems.create({ runName: 'gpt-5', datasetItemId: 'capital-no', traceId: 'trace-id' })
await client.api.ingestion.batch({ batch: [] })

const span = startObservation('answer')
for (const item of (await client.getDataset('capitals')).items) await item.link(span, 'gpt-5')
const { items } = await client.dataset.get('capitals')
await Promise.all(items.map((item) => item.link(span, 'gpt-5')))
export const linked: LinkDatasetItemFunction[] = []

startActiveObservation('outer', () => {
  startActiveObservation('inner', (inner) => {
    inner.setTraceIO({ input: 1 })
    setActiveTraceIO({ output: 1 })
  })
})
span.startObservation('child').setTraceIO({ input: 'Norway' })
export const attributes: SvcTraceAttributes = { name: 'answer' }
createTraceAttributes(attributes)

const exact: Evaluator = ({ output, expectedOutput }) => ({ name: 'exact', value: output === expectedOutput ? 1 : 0 })
await exact({ input: 'Norway', output: 'Oslo' })
startObservation('clicked', {}, { asType: 'event' }).update({ output: 1 })
new SvcSpanProcessor({ mask: ({ data }) => data.replaceAll('secret', '***') })
await client.prompt.get('movie-critic', { type: 'chat', fallback: 'Judge {{movie}}.' })
console.log((await client.getPrompt('movie-critic', { type: 'chat' })).compile({})[0].name)
