import { getHealth } from './api/about.ts'
import { createQueueItem, deleteQueueItem, getQueueItem, updateQueueItem } from './api/annotation-queues/items.ts'
import { assignQueue, createQueue, getQueue, unassignQueue } from './api/annotation-queues/queues.ts'
import { createComment, getComment } from './api/comments/comments.ts'
import { createDataset, getDataset } from './api/datasets/datasets.ts'
import { getItem } from './api/datasets/items.ts'
import { createItem, deleteItem } from './api/datasets/write-item.ts'
import { getContent } from './api/media/content.ts'
import { getMedia, patchMedia, registerMedia } from './api/media/register.ts'
import { createModel, deleteModel, getModel } from './api/models/models.ts'
import { NOT_IMPLEMENTED, refuseNotImplemented } from './api/not-implemented.ts'
import { createApiKey, deleteApiKey, getApiKeys } from './api/projects/api-keys.ts'
import { createProject, deleteProject, getProjects, updateProject } from './api/projects/projects.ts'
import { deletePrompt, labelPrompt } from './api/prompts/change.ts'
import { createPrompt } from './api/prompts/create.ts'
import { getPrompt } from './api/prompts/read.ts'
import { createScoreConfig, getScoreConfig, updateScoreConfig } from './api/score-configs/score-configs.ts'
import { createScores } from './api/scores/create.ts'
import { deleteScore } from './api/scores/list.ts'
import { API, api } from './http/api-route.ts'
import type { Route } from './http/router.ts'
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
  api('scores.create', 'POST /scores', createScores, 'scores'),
  api('scores.delete', 'DELETE /scores/{scoreId}', deleteScore),
  api('datasets.create', 'POST /v2/datasets', createDataset),
  api('datasets.get', 'GET /v2/datasets/{datasetName}', getDataset),
  api('datasetItems.create', 'POST /dataset-items', createItem),
  api('datasetItems.get', 'GET /dataset-items/{id}', getItem),
  api('datasetItems.delete', 'DELETE /dataset-items/{id}', deleteItem),
  api('prompts.create', 'POST /v2/prompts', createPrompt),
  api('prompts.get', 'GET /v2/prompts/{promptName}', getPrompt),
  api('prompts.delete', 'DELETE /v2/prompts/{promptName}', deletePrompt),
  api('promptVersion.update', 'PATCH /v2/prompts/{name}/versions/{version}', labelPrompt),
  api('media.getUploadUrl', 'POST /media', registerMedia),
  api('media.get', 'GET /media/{mediaId}', getMedia),
  api('media.patch', 'PATCH /media/{mediaId}', patchMedia),
  api('health.health', 'GET /health', getHealth, 'anyone'),
  api('projects.get', 'GET /projects', getProjects),
  api('projects.create', 'POST /projects', createProject),
  api('projects.update', 'PUT /projects/{projectId}', updateProject),
  api('projects.delete', 'DELETE /projects/{projectId}', deleteProject),
  api('projects.getApiKeys', 'GET /projects/{projectId}/apiKeys', getApiKeys),
  api('projects.createApiKey', 'POST /projects/{projectId}/apiKeys', createApiKey),
  api('projects.deleteApiKey', 'DELETE /projects/{projectId}/apiKeys/{apiKeyId}', deleteApiKey),
  api('models.create', 'POST /models', createModel),
  api('models.get', 'GET /models/{id}', getModel),
  api('models.delete', 'DELETE /models/{id}', deleteModel),
  api('scoreConfigs.create', 'POST /score-configs', createScoreConfig),
  api('scoreConfigs.getById', 'GET /score-configs/{configId}', getScoreConfig),
  api('scoreConfigs.update', 'PATCH /score-configs/{configId}', updateScoreConfig),
  api('comments.create', 'POST /comments', createComment),
  api('comments.getById', 'GET /comments/{commentId}', getComment),
  api('annotationQueues.createQueue', 'POST /annotation-queues', createQueue),
  api('annotationQueues.getQueue', 'GET /annotation-queues/{queueId}', getQueue),
  api('annotationQueues.getQueueItem', 'GET /annotation-queues/{queueId}/items/{itemId}', getQueueItem),
  api('annotationQueues.createQueueItem', 'POST /annotation-queues/{queueId}/items', createQueueItem),
  api('annotationQueues.updateQueueItem', 'PATCH /annotation-queues/{queueId}/items/{itemId}', updateQueueItem),
  api('annotationQueues.deleteQueueItem', 'DELETE /annotation-queues/{queueId}/items/{itemId}', deleteQueueItem),
  api('annotationQueues.createQueueAssignment', 'POST /annotation-queues/{queueId}/assignments', assignQueue),
  api('annotationQueues.deleteQueueAssignment', 'DELETE /annotation-queues/{queueId}/assignments', unassignQueue),
  ...Object.entries(NOT_IMPLEMENTED).map(([endpoint, request]) =>
    api(endpoint, request, refuseNotImplemented(endpoint)),
  ),
  { method: 'POST', path: `${API}/otel/v1/metrics`, access: 'project', handle: takeMetrics },
  { method: 'GET', path: '/api/media/{mediaId}', access: 'anyone', handle: getContent },
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
