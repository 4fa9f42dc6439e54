// What an application sees of the built client; each removed member must be an error. Compiled by types.test.ts, never run.
import { SvcBrowserClient } from '@svc/browser'
import type * as svc from '@svc/client'
import {
  type ApiPages,
  type ApiPromise,
  type CreateScoreBatchResponse,
  type CreateScoreBatchResults,
  type CreateScoreRequest,
  type GetScoresV3Response,
  NotFoundError,
  type ScoreBody,
  type ScoreV3,
  SvcAPIError,
  SvcClient,
  SvcMedia,
} from '@svc/client'
import type * as wire from '@svc/client/api'
import { createApi } from '@svc/client/api'
import { createScoreManager } from '@svc/client/score'

const client = new SvcClient({ publicKey: 'pk', secretKey: 'sk', baseUrl: 'https://svc.example.com', timeout: 10 })

// With exactOptionalPropertyTypes, too, what may be undefined goes where an option may be left out.
declare const perhaps: string | undefined
client.score.create({ id: perhaps, name: 'n', value: 1, traceId: perhaps, comment: perhaps, environment: perhaps })
void new SvcBrowserClient({ publicKey: 'pk', baseUrl: perhaps, environment: perhaps }).score({
  name: 'n',
  value: 1,
  sessionId: perhaps,
})
const { api } = client

// @ts-expect-error removed in v6: prompt.get
client.getPrompt('p')
// @ts-expect-error removed in v6: prompt.create
client.createPrompt({ name: 'p', prompt: '' })
// @ts-expect-error removed in v6: prompt.update
client.updatePrompt({ name: 'p', version: 1, newLabels: [] })
// @ts-expect-error removed in v6: dataset.get
client.getDataset('d')
// @ts-expect-error removed in v6: dataset.createItem
client.createDatasetItem({ datasetName: 'd' })
// @ts-expect-error removed in v6: media.resolveReferences
client.resolveMediaReferences({ obj: {}, resolveWith: 'base64DataUri' })
// @ts-expect-error removed in v6: api.datasets.create
client.createDataset({ name: 'd' })
// @ts-expect-error removed in v6: api.datasetItems.get
client.getDatasetItem('i')
// @ts-expect-error removed in v6: api.media.get
client.fetchMedia('m')
// @ts-expect-error removed in v6: api.observations.getMany
client.fetchTrace('t')
// @ts-expect-error removed in v6: api.observations.getMany
client.fetchTraces()
// @ts-expect-error removed in v6: api.observations.getMany
client.fetchObservation('o')
// @ts-expect-error removed in v6: api.observations.getMany
client.fetchObservations()
// @ts-expect-error removed in v6: api.observations.getMany
client.fetchSessions()
// @ts-expect-error removed in v6: api.experiments.list and listItems
client.getDatasetRun('d', 'r')
// @ts-expect-error removed in v6: api.experiments.list
client.getDatasetRuns('d')

// @ts-expect-error removed in v6: api.observations.getMany
api.trace.get('t')
// @ts-expect-error removed in v6: api.observations.getMany
api.trace.list()
// @ts-expect-error removed in v6: api.observations.getMany
api.sessions.get('s')
// @ts-expect-error removed in v6: api.observations.getMany, api.metrics.metrics, api.scores
api.legacy.observationsV1.getMany()
// @ts-expect-error removed in v6: api.metrics.metrics
api.legacy.metricsV1.metrics({ query: '{}' })
// @ts-expect-error removed in v6: api.scores.create([…])
api.legacy.scoreV1.create({ name: 'n', value: 1 })
// @ts-expect-error removed in v6: api.scores.delete
api.legacy.scoreV1.delete('s')
// @ts-expect-error removed in v6: api.scores.getMany
api.scoresV3.getManyV3({})
// @ts-expect-error removed in v6: api.scores.getMany({ id })
api.scores.getById('s')
// @ts-expect-error removed in v6: the filter is `id`
api.scores.getMany({ scoreIds: 's' })
// @ts-expect-error removed in v6: an array of scores
api.scores.create({ name: 'n', value: 1 })
// @ts-expect-error removed in v6: api.experiments.listItems, or the experiment runner
api.datasetRunItems.list({ datasetId: 'd', runName: 'r' })
// @ts-expect-error removed in v6: api.experiments.list and listItems
api.datasets.getRun('d', 'r')
// @ts-expect-error removed in v6: api.experiments.list
api.datasets.getRuns('d')
// @ts-expect-error removed in v6: api.trace.deleteMultiple with the traces of its items
api.datasets.deleteRun('d', 'r')
// @ts-expect-error removed in v6: tracing for traces, api.scores.create for scores
api.ingestion.batch({ batch: [] })

export async function itemLink(): Promise<void> {
  const { items } = await client.dataset.get('d')
  // @ts-expect-error removed in v6: dataset.runExperiment
  items[0]?.link({}, 'run')
}

// @ts-expect-error a score has a name
client.score.create({ value: 1 })
// @ts-expect-error a value is a number or a text
client.score.create({ name: 'n', value: true })
// @ts-expect-error the trace of an observation is known
client.score.trace({ otelSpan: {} as never }, { name: 'n', value: 1, traceId: 't' })
// @ts-expect-error when they began is needed
api.experiments.listItems({ datasetId: 'd' })
// @ts-expect-error only listings are gone through
for await (const _ of api.projects.get()) break

// What is right compiles, and results have the types of what was asked for.
const created: ApiPromise<CreateScoreBatchResponse | CreateScoreBatchResults> = api.scores.create([
  { name: 'n', value: 1, traceId: 't' } satisfies CreateScoreRequest,
])
const results = await created
if ('rejected' in results && results.rejected > 0) results.errors.map(({ message }) => message)
const scores: ApiPages<GetScoresV3Response, ScoreV3> = api.scores.getMany({ id: 's', traceId: 't', fields: 'details' })
for await (const score of scores) if (score.dataType === 'NUMERIC') score.value.toFixed(2)
const since = new Date()
for await (const item of client.api.experiments.listItems({ fromStartTime: since, experimentName: 'e' })) {
  const { traceId }: wire.ExperimentItem = item
  await api.trace.deleteMultiple(
    { traceIds: [traceId] },
    { timeoutInSeconds: 30, abortSignal: new AbortController().signal },
  )
}
const { data, rawResponse } = await api.health.health().withRawResponse()
export const result: [string, number, string | null] = [
  data.version,
  rawResponse.status,
  rawResponse.headers.get('date'),
]
try {
  await api.datasets.get('d')
} catch (error) {
  if (error instanceof NotFoundError) error.statusCode?.toFixed()
  else if (error instanceof SvcAPIError) throw error
}
const body: ScoreBody = { name: 'n', value: '', traceId: 't', dataType: 'TEXT' }
createScoreManager({ flushAt: 1 }).create(body)
export const version: Promise<string> = createApi({ timeout: 1 })
  .health.health()
  .then((health) => health.version)
await client.media.upload(
  new SvcMedia({ source: 'bytes', contentBytes: new Uint8Array([1]), contentType: 'image/png' }),
  { field: 'input', traceId: 't' },
)
export const urls: Promise<string>[] = [client.getProjectId(), client.getTraceUrl('t'), client.getExperimentUrl('e')]

export type Removed = [
  // @ts-expect-error removed in v6: dataset.items is a plain array
  svc.LinkDatasetItemFunction,
  // @ts-expect-error removed in v6: traces are read as observations
  svc.Trace,
  // @ts-expect-error removed in v6: traces are read as observations
  svc.TraceWithDetails,
  // @ts-expect-error removed in v6: traces are read as observations
  svc.TraceWithFullDetails,
  // @ts-expect-error removed in v6: traces are read as observations
  svc.Traces,
  // @ts-expect-error removed in v6: sessions are read as observations
  svc.Session,
  // @ts-expect-error removed in v6: sessions are read as observations
  svc.SessionWithTraces,
  // @ts-expect-error removed in v6: sessions are read as observations
  svc.PaginatedSessions,
  // @ts-expect-error removed in v6: observations have the shape of their second version
  svc.Observation,
  // @ts-expect-error removed in v6: observations have the shape of their second version
  svc.ObservationsView,
  // @ts-expect-error removed in v6: observations have the shape of their second version
  svc.ObservationsViews,
  // @ts-expect-error removed in v6: runs are experiments
  svc.DatasetRun,
  // @ts-expect-error removed in v6: runs are experiments
  svc.DatasetRunWithItems,
  // @ts-expect-error removed in v6: runs are experiments
  svc.PaginatedDatasetRuns,
  // @ts-expect-error removed in v6: items of runs are items of experiments
  svc.DatasetRunItem,
  // @ts-expect-error removed in v6: items of runs are items of experiments
  svc.CreateDatasetRunItemRequest,
  // @ts-expect-error removed in v6: items of runs are items of experiments
  svc.PaginatedDatasetRunItems,
  // @ts-expect-error removed in v6: scores have the shape of their third version
  svc.ScoreV1,
  // @ts-expect-error removed in v6: scores have the shape of their third version
  svc.NumericScoreV1,
  // @ts-expect-error removed in v6: scores have the shape of their third version
  svc.CategoricalScoreV1,
  // @ts-expect-error removed in v6: scores have the shape of their third version
  svc.BooleanScoreV1,
  // @ts-expect-error removed in v6: scores have the shape of their third version
  svc.GetScoresResponse,
  // @ts-expect-error removed in v6: traces are sent as spans, scores as scores
  svc.IngestionEvent,
  // @ts-expect-error removed in v6: traces are sent as spans, scores as scores
  svc.IngestionResponse,
  // @ts-expect-error removed in v6: traces are sent as spans, scores as scores
  svc.TraceBody,
  // @ts-expect-error removed in v6: traces are sent as spans, scores as scores
  svc.ObservationBody,
]
// Only its prefix is gone.
export const taken: [svc.CreateScoreResponse, wire.CreateScoreResponse] = [{ id: 's' }, { id: 's' }]

export type RemovedFromApi = [
  // @ts-expect-error removed in v6: dataset.items is a plain array
  wire.LinkDatasetItemFunction,
  // @ts-expect-error removed in v6: traces are read as observations
  wire.Trace,
  // @ts-expect-error removed in v6: traces are read as observations
  wire.TraceWithDetails,
  // @ts-expect-error removed in v6: traces are read as observations
  wire.TraceWithFullDetails,
  // @ts-expect-error removed in v6: traces are read as observations
  wire.Traces,
  // @ts-expect-error removed in v6: sessions are read as observations
  wire.Session,
  // @ts-expect-error removed in v6: sessions are read as observations
  wire.SessionWithTraces,
  // @ts-expect-error removed in v6: sessions are read as observations
  wire.PaginatedSessions,
  // @ts-expect-error removed in v6: observations have the shape of their second version
  wire.Observation,
  // @ts-expect-error removed in v6: observations have the shape of their second version
  wire.ObservationsView,
  // @ts-expect-error removed in v6: observations have the shape of their second version
  wire.ObservationsViews,
  // @ts-expect-error removed in v6: runs are experiments
  wire.DatasetRun,
  // @ts-expect-error removed in v6: runs are experiments
  wire.DatasetRunWithItems,
  // @ts-expect-error removed in v6: runs are experiments
  wire.PaginatedDatasetRuns,
  // @ts-expect-error removed in v6: items of runs are items of experiments
  wire.DatasetRunItem,
  // @ts-expect-error removed in v6: items of runs are items of experiments
  wire.CreateDatasetRunItemRequest,
  // @ts-expect-error removed in v6: items of runs are items of experiments
  wire.PaginatedDatasetRunItems,
  // @ts-expect-error removed in v6: scores have the shape of their third version
  wire.ScoreV1,
  // @ts-expect-error removed in v6: scores have the shape of their third version
  wire.NumericScoreV1,
  // @ts-expect-error removed in v6: scores have the shape of their third version
  wire.CategoricalScoreV1,
  // @ts-expect-error removed in v6: scores have the shape of their third version
  wire.BooleanScoreV1,
  // @ts-expect-error removed in v6: scores have the shape of their third version
  wire.GetScoresResponse,
  // @ts-expect-error removed in v6: traces are sent as spans, scores as scores
  wire.IngestionEvent,
  // @ts-expect-error removed in v6: traces are sent as spans, scores as scores
  wire.IngestionResponse,
  // @ts-expect-error removed in v6: traces are sent as spans, scores as scores
  wire.TraceBody,
  // @ts-expect-error removed in v6: traces are sent as spans, scores as scores
  wire.ObservationBody,
]
