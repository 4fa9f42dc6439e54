import { getHealth, getProjects } from './api/about.ts'
import { ABSENT, refuseAbsent } from './api/absent.ts'
import { createDataset, getDataset, listDatasets } from './api/datasets/datasets.ts'
import { getItem, listItems } from './api/datasets/items.ts'
import { createItem, deleteItem } from './api/datasets/write-item.ts'
import { listExperimentItems } from './api/experiments/items.ts'
import { listExperiments } from './api/experiments/list.ts'
import { getContent, putContent } from './api/media/content.ts'
import { getMedia, patchMedia, registerMedia } from './api/media/register.ts'
import { getMetrics } from './api/metrics/get.ts'
import { getObservations } from './api/observations/observations.ts'
import { deletePrompt, labelPrompt } from './api/prompts/change.ts'
import { createPrompt } from './api/prompts/create.ts'
import { getPrompt, listPrompts } from './api/prompts/read.ts'
import { createScores } from './api/scores/create.ts'
import { deleteScore, listScores } from './api/scores/list.ts'
import { deleteTrace, deleteTraces } from './api/traces.ts'
import type { Access, Route } from './http/router.ts'
import type { Service } from './service.ts'
import { takeMetrics, takeTraces } from './trace/intake/intake.ts'
import { getAbout, getLive } from './trace/pages/about.ts'
import { getChoices } from './trace/pages/choices.ts'
import { exportTrace } from './trace/pages/export.ts'
import { getAsset, showViewer } from './trace/pages/files.ts'
import { getSession, listSessions, listUsers } from './trace/pages/groups.ts'
import { redirectToExperiment, redirectToItem, redirectToTrace } from './trace/pages/links.ts'
import { getTrace, getTraceObservation } from './trace/pages/trace.ts'
import { listTraces } from './trace/pages/trace-list.ts'

const API = '/api/public'

/** A row for an endpoint of the API, under the name that the client has for it. */
const api = (
  endpoint: string,
  request: `${string} /${string}`,
  handle: Route<Service>['handle'],
  access: Access = 'project',
): Route<Service> => {
  const [method = '', path = ''] = request.split(' ')
  return { endpoint, method, path: `${API}${path}`, access, handle }
}

/** Addresses of the one page. */
const PAGES = [
  '/',
  '/traces/{traceId}',
  '/compare',
  '/sessions',
  '/sessions/{sessionId}',
  '/users',
  '/scores',
  '/prompts',
  '/prompts/{name}',
  '/datasets',
  '/datasets/{name}',
  '/experiments',
  '/experiments/{id}',
]

/** Everything this service answers: a row each. */
export const ROUTES: readonly Route<Service>[] = [
  api('scores.create', 'POST /scores', createScores, 'scores'),
  api('scores.getMany', 'GET /v3/scores', listScores),
  api('scores.delete', 'DELETE /scores/{scoreId}', deleteScore),
  api('observations.getMany', 'GET /v2/observations', getObservations),
  api('trace.deleteMultiple', 'DELETE /traces', deleteTraces),
  api('trace.delete', 'DELETE /traces/{traceId}', deleteTrace),
  api('datasets.create', 'POST /v2/datasets', createDataset),
  api('datasets.list', 'GET /v2/datasets', listDatasets),
  api('datasets.get', 'GET /v2/datasets/{datasetName}', getDataset),
  api('datasetItems.create', 'POST /dataset-items', createItem),
  api('datasetItems.list', 'GET /dataset-items', listItems),
  api('datasetItems.get', 'GET /dataset-items/{id}', getItem),
  api('datasetItems.delete', 'DELETE /dataset-items/{id}', deleteItem),
  api('experiments.list', 'GET /experiments', listExperiments),
  api('experiments.listItems', 'GET /experiment-items', listExperimentItems),
  api('prompts.create', 'POST /v2/prompts', createPrompt),
  api('prompts.list', 'GET /v2/prompts', listPrompts),
  api('prompts.get', 'GET /v2/prompts/{promptName}', getPrompt),
  api('prompts.delete', 'DELETE /v2/prompts/{promptName}', deletePrompt),
  api('promptVersion.update', 'PATCH /v2/prompts/{name}/versions/{version}', labelPrompt),
  api('media.getUploadUrl', 'POST /media', registerMedia),
  api('media.get', 'GET /media/{mediaId}', getMedia),
  api('media.patch', 'PATCH /media/{mediaId}', patchMedia),
  api('metrics.metrics', 'GET /v2/metrics', getMetrics),
  api('opentelemetry.exportTraces', 'POST /otel/v1/traces', takeTraces),
  api('health.health', 'GET /health', getHealth, 'anyone'),
  api('projects.get', 'GET /projects', getProjects),
  ...Object.entries(ABSENT).map(([endpoint, request]) => api(endpoint, request, refuseAbsent(endpoint))),
  { method: 'POST', path: `${API}/otel/v1/metrics`, access: 'project', handle: takeMetrics },
  // The storage behind media files: the URLs are signed.
  { method: 'PUT', path: '/api/media/{mediaId}', access: 'anyone', handle: putContent },
  { method: 'GET', path: '/api/media/{mediaId}', access: 'anyone', handle: getContent },
  // What the page shows beyond the API. No `/api/` before it: no other web page may read it.
  { method: 'GET', path: '/viewer/about', access: 'page', handle: getAbout },
  { method: 'GET', path: '/viewer/live', access: 'page', handle: getLive },
  { method: 'GET', path: '/viewer/choices', access: 'page', handle: getChoices },
  { method: 'GET', path: '/viewer/sessions', access: 'page', handle: listSessions },
  { method: 'GET', path: '/viewer/sessions/{sessionId}', access: 'page', handle: getSession },
  { method: 'GET', path: '/viewer/users', access: 'page', handle: listUsers },
  { method: 'GET', path: '/viewer/traces', access: 'page', handle: listTraces },
  { method: 'GET', path: '/viewer/traces/{traceId}', access: 'page', handle: getTrace },
  { method: 'GET', path: '/viewer/traces/{traceId}/export', access: 'page', handle: exportTrace },
  { method: 'GET', path: '/viewer/traces/{traceId}/observations/{id}', access: 'page', handle: getTraceObservation },
  { method: 'GET', path: '/assets/{file}', access: 'anyone', handle: getAsset },
  ...PAGES.map((path): Route<Service> => ({ method: 'GET', path, access: 'page', handle: showViewer })),
  // Links that the client gives out.
  { method: 'GET', path: '/project/{projectId}/traces/{traceId}', access: 'page', handle: redirectToTrace },
  { method: 'GET', path: '/project/{projectId}/experiments/results', access: 'page', handle: redirectToExperiment },
  {
    method: 'GET',
    path: '/project/{projectId}/datasets/{datasetId}/items/{itemId}',
    access: 'page',
    handle: redirectToItem,
  },
]
