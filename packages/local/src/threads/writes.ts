import { createQueueItem, deleteQueueItem, updateQueueItem } from '../api/annotation-queues/items.ts'
import { assignQueue, createQueue, unassignQueue } from '../api/annotation-queues/queues.ts'
import { JSON_LIMITS } from '../api/body.ts'
import { createComment } from '../api/comments/comments.ts'
import { createDataset } from '../api/datasets/datasets.ts'
import { createItem, deleteItem } from '../api/datasets/write-item.ts'
import { MEDIA_LIMITS, putContent } from '../api/media/content.ts'
import { patchMedia, registerMedia } from '../api/media/register.ts'
import { checkSigned } from '../api/media/signed-url.ts'
import { createModel, deleteModel } from '../api/models/models.ts'
import { createApiKey, deleteApiKey } from '../api/projects/api-keys.ts'
import { createProject, deleteProject, updateProject } from '../api/projects/projects.ts'
import { deletePrompt, labelPrompt } from '../api/prompts/change.ts'
import { createPrompt } from '../api/prompts/create.ts'
import { createScoreConfig, updateScoreConfig } from '../api/score-configs/score-configs.ts'
import { createScores } from '../api/scores/create.ts'
import { deleteScore } from '../api/scores/list.ts'
import { deleteTrace, deleteTraces } from '../api/traces.ts'
import { api } from '../http/api-route.ts'
import type { Route } from '../http/router.ts'
import type { WriteService } from '../service.ts'
import { checkTraces, takeTraces } from '../trace/intake/intake.ts'

const CHANGES: readonly Route<WriteService>[] = [
  api('scores.delete', 'DELETE /scores/{scoreId}', deleteScore),
  api('datasets.create', 'POST /v2/datasets', createDataset),
  api('datasetItems.create', 'POST /dataset-items', createItem),
  api('datasetItems.delete', 'DELETE /dataset-items/{id}', deleteItem),
  api('prompts.create', 'POST /v2/prompts', createPrompt),
  api('prompts.delete', 'DELETE /v2/prompts/{promptName}', deletePrompt),
  api('promptVersion.update', 'PATCH /v2/prompts/{name}/versions/{version}', labelPrompt),
  api('media.getUploadUrl', 'POST /media', registerMedia),
  api('media.patch', 'PATCH /media/{mediaId}', patchMedia),
  api('projects.create', 'POST /projects', createProject),
  api('projects.update', 'PUT /projects/{projectId}', updateProject),
  api('projects.delete', 'DELETE /projects/{projectId}', deleteProject),
  api('projects.createApiKey', 'POST /projects/{projectId}/apiKeys', createApiKey),
  api('projects.deleteApiKey', 'DELETE /projects/{projectId}/apiKeys/{apiKeyId}', deleteApiKey),
  api('models.create', 'POST /models', createModel),
  api('models.delete', 'DELETE /models/{id}', deleteModel),
  api('scoreConfigs.create', 'POST /score-configs', createScoreConfig),
  api('scoreConfigs.update', 'PATCH /score-configs/{configId}', updateScoreConfig),
  api('comments.create', 'POST /comments', createComment),
  api('annotationQueues.createQueue', 'POST /annotation-queues', createQueue),
  api('annotationQueues.createQueueItem', 'POST /annotation-queues/{queueId}/items', createQueueItem),
  api('annotationQueues.updateQueueItem', 'PATCH /annotation-queues/{queueId}/items/{itemId}', updateQueueItem),
  api('annotationQueues.deleteQueueItem', 'DELETE /annotation-queues/{queueId}/items/{itemId}', deleteQueueItem),
  api('annotationQueues.createQueueAssignment', 'POST /annotation-queues/{queueId}/assignments', assignQueue),
  api('annotationQueues.deleteQueueAssignment', 'DELETE /annotation-queues/{queueId}/assignments', unassignQueue),
  api('trace.deleteMultiple', 'DELETE /traces', deleteTraces),
  api('trace.delete', 'DELETE /traces/{traceId}', deleteTrace),
]

/** Routes that write. What may take long is answered by a worker thread (thread.ts). */
export const WRITES: readonly Route<WriteService>[] = [
  ...CHANGES.map((route): Route<WriteService> => ({ ...route, writes: 'data', limits: JSON_LIMITS })),
  { ...api('scores.create', 'POST /scores', createScores, 'scores'), writes: 'body', limits: JSON_LIMITS },
  { ...api('opentelemetry.exportTraces', 'POST /otel/v1/traces', takeTraces), writes: 'body', check: checkTraces },
  // The storage behind media files: the URLs are signed.
  {
    method: 'PUT',
    path: '/api/media/{mediaId}',
    access: 'anyone',
    writes: 'body',
    limits: MEDIA_LIMITS,
    check: (call, service) => void checkSigned(call, service),
    handle: putContent,
  },
]
