import { getHealth } from './api/about.ts'
import { getQueueItem } from './api/annotation-queues/items.ts'
import { getQueue } from './api/annotation-queues/queues.ts'
import { getComment } from './api/comments/comments.ts'
import { getDataset } from './api/datasets/datasets.ts'
import { getMedia } from './api/media/register.ts'
import { getModel } from './api/models/models.ts'
import { NOT_IMPLEMENTED, refuseNotImplemented } from './api/not-implemented.ts'
import { getApiKeys } from './api/projects/api-keys.ts'
import { getProjects } from './api/projects/projects.ts'
import { getScoreConfig } from './api/score-configs/score-configs.ts'
import { API, api } from './http/api-route.ts'
import type { Route } from './http/router.ts'
import { mcpRoute } from './mcp/endpoint.ts'
import { callModel } from './playground/call-model.ts'
import type { Service } from './service.ts'
import { READS } from './threads/reads.ts'
import { WRITES } from './threads/writes.ts'
import { takeMetrics } from './trace/intake/intake.ts'
import { getAbout, getLive } from './trace/pages/about.ts'
import { getAsset, showViewer } from './trace/pages/files.ts'
import { redirectToExperiment, redirectToItem, redirectToTrace } from './trace/pages/links.ts'

/** Addresses of the one page. */
const PAGES = [
  '/',
  '/traces/{traceId}',
  '/compare',
  '/playground',
  '/sessions',
  '/sessions/{sessionId}',
  '/users',
  '/models',
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
  ...READS.map((route) => ({ ...route, reads: true })),
  ...WRITES,
  api('datasets.get', 'GET /v2/datasets/{datasetName}', getDataset),
  api('media.get', 'GET /media/{mediaId}', getMedia),
  api('health.health', 'GET /health', getHealth, 'anyone'),
  api('projects.get', 'GET /projects', getProjects),
  api('projects.getApiKeys', 'GET /projects/{projectId}/apiKeys', getApiKeys),
  api('models.get', 'GET /models/{id}', getModel),
  api('scoreConfigs.getById', 'GET /score-configs/{configId}', getScoreConfig),
  api('comments.getById', 'GET /comments/{commentId}', getComment),
  api('annotationQueues.getQueue', 'GET /annotation-queues/{queueId}', getQueue),
  api('annotationQueues.getQueueItem', 'GET /annotation-queues/{queueId}/items/{itemId}', getQueueItem),
  ...Object.entries(NOT_IMPLEMENTED).map(([endpoint, request]) =>
    api(endpoint, request, refuseNotImplemented(endpoint)),
  ),
  { method: 'POST', path: `${API}/otel/v1/metrics`, access: 'project', handle: takeMetrics },
  mcpRoute(READS),
  // What the page shows beyond the API. No `/api/` before it: no other web page may read it.
  { method: 'GET', path: '/viewer/about', access: 'page', handle: getAbout },
  { method: 'GET', path: '/viewer/live', access: 'page', handle: getLive },
  // It spends money: no other web page may make it do so.
  { method: 'POST', path: '/viewer/playground', access: 'own-page', handle: callModel },
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
