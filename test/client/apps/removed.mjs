// Looks for everything that v6 removed, the way a program written for v5 would use it.
import * as svc from '@svc/client'
import * as tracing from '@svc/tracing'

const client = new svc.SvcClient({ publicKey: 'pk', secretKey: 'sk', baseUrl: 'http://127.0.0.1:1' })
const { api } = client
const observation = tracing.startObservation('work')

const REMOVED = [
  ...`getPrompt createPrompt updatePrompt getDataset createDatasetItem resolveMediaReferences createDataset getDatasetItem
    fetchMedia fetchTrace fetchTraces fetchObservation fetchObservations fetchSessions getDatasetRun getDatasetRuns`
    .split(/\s+/)
    .map((name) => [client, name]),
  [api, 'legacy'],
  [api, 'sessions'],
  [api, 'scoresV3'],
  [api, 'datasetRunItems'],
  [api, 'ingestion'],
  [api.trace, 'get'],
  [api.trace, 'list'],
  [api.scores, 'getById'],
  [api.datasets, 'getRun'],
  [api.datasets, 'getRuns'],
  [api.datasets, 'deleteRun'],
  [api.unstable, 'evaluators'],
  [api.unstable, 'evaluationRules'],
  [tracing, 'setActiveTraceIO'],
  [tracing, 'createTraceAttributes'],
  [observation, 'setTraceIO'],
]
const CALLS = [
  () => api.legacy.observationsV1.getMany(),
  () => api.legacy.metricsV1.metrics({ query: '{}' }),
  () => api.legacy.scoreV1.create({ name: 'n', value: 1 }),
  () => api.legacy.scoreV1.delete('s'),
  () => api.scoresV3.getManyV3(),
  () => api.sessions.list(),
  () => api.sessions.get('s'),
  () => api.datasetRunItems.create({}),
  () => api.datasetRunItems.list({}),
  () => api.ingestion.batch({ batch: [] }),
  ...REMOVED.map(
    ([owner, name]) =>
      () =>
        owner[name](),
  ),
]

console.log(
  JSON.stringify({
    there: REMOVED.flatMap(([owner, name]) => (owner[name] === undefined && !(name in owner) ? [] : [name])),
    notThrowing: CALLS.filter((call) => !throwsTypeError(call)).map(String),
    checked: CALLS.length,
  }),
)

function throwsTypeError(call) {
  try {
    call()
    return false
  } catch (error) {
    return error instanceof TypeError
  }
}
