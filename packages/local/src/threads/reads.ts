import { listQueueItems } from '../api/annotation-queues/items.ts'
import { listQueues } from '../api/annotation-queues/queues.ts'
import { listComments } from '../api/comments/comments.ts'
import { listDatasets } from '../api/datasets/datasets.ts'
import { getItem, listItems } from '../api/datasets/items.ts'
import { listExperimentItems } from '../api/experiments/items.ts'
import { listExperiments } from '../api/experiments/list.ts'
import { getContent } from '../api/media/content.ts'
import { getMetrics, getPageMetrics } from '../api/metrics/get.ts'
import { listModels } from '../api/models/models.ts'
import { getObservations } from '../api/observations/observations.ts'
import { getPrompt, listPrompts } from '../api/prompts/read.ts'
import { listScoreConfigs } from '../api/score-configs/score-configs.ts'
import { listScores } from '../api/scores/list.ts'
import { api } from '../http/api-route.ts'
import type { Route } from '../http/router.ts'
import type { ReadService } from '../service.ts'
import { getChoices } from '../trace/pages/choices.ts'
import { listRunItems, listRuns } from '../trace/pages/experiments.ts'
import { exportTrace } from '../trace/pages/export.ts'
import { getSession, listSessions, listUsers } from '../trace/pages/groups.ts'
import { findInTrace, getSpan, getTrace, getTraceObservation } from '../trace/pages/trace.ts'
import { listTraces } from '../trace/pages/trace-list.ts'

/** Routes that only read, and get slower as the store grows. A worker thread answers them (thread.ts). */
export const READS: readonly Route<ReadService>[] = [
  api('scores.getMany', 'GET /v3/scores', listScores),
  api('observations.getMany', 'GET /v2/observations', getObservations),
  api('datasets.list', 'GET /v2/datasets', listDatasets),
  api('datasetItems.list', 'GET /dataset-items', listItems),
  api('datasetItems.get', 'GET /dataset-items/{id}', getItem),
  api('comments.get', 'GET /comments', listComments),
  api('models.list', 'GET /models', listModels),
  api('scoreConfigs.get', 'GET /score-configs', listScoreConfigs),
  api('annotationQueues.listQueues', 'GET /annotation-queues', listQueues),
  api('annotationQueues.listQueueItems', 'GET /annotation-queues/{queueId}/items', listQueueItems),
  api('experiments.list', 'GET /experiments', listExperiments),
  api('experiments.listItems', 'GET /experiment-items', listExperimentItems),
  api('prompts.get', 'GET /v2/prompts/{promptName}', getPrompt),
  api('prompts.list', 'GET /v2/prompts', listPrompts),
  api('metrics.metrics', 'GET /v2/metrics', getMetrics),
  // The storage behind media files: the URLs are signed.
  { method: 'GET', path: '/api/media/{mediaId}', access: 'anyone', handle: getContent },
  // What the page shows beyond the API. No `/api/` before it: no other web page may read it.
  { method: 'GET', path: '/viewer/choices', access: 'page', handle: getChoices },
  { method: 'GET', path: '/viewer/experiments', access: 'page', handle: listRuns },
  { method: 'GET', path: '/viewer/experiments/{id}/items', access: 'page', handle: listRunItems },
  { method: 'GET', path: '/viewer/metrics', access: 'page', handle: getPageMetrics },
  { method: 'GET', path: '/viewer/sessions', access: 'page', handle: listSessions },
  { method: 'GET', path: '/viewer/sessions/{sessionId}', access: 'page', handle: getSession },
  { method: 'GET', path: '/viewer/users', access: 'page', handle: listUsers },
  { method: 'GET', path: '/viewer/traces', access: 'page', handle: listTraces },
  { method: 'GET', path: '/viewer/traces/{traceId}', access: 'page', handle: getTrace },
  { method: 'GET', path: '/viewer/traces/{traceId}/export', access: 'page', handle: exportTrace },
  { method: 'GET', path: '/viewer/traces/{traceId}/found', access: 'page', handle: findInTrace },
  { method: 'GET', path: '/viewer/traces/{traceId}/observations/{id}', access: 'page', handle: getTraceObservation },
  { method: 'GET', path: '/viewer/traces/{traceId}/observations/{id}/span', access: 'page', handle: getSpan },
]
