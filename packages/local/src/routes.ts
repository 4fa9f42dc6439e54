import { getHealth, getProjects } from './api/about.ts'
import { getObservations } from './api/observations.ts'
import { deleteTrace, deleteTraces } from './api/traces.ts'
import { createDataset, getDataset, listDatasets } from './datasets/datasets.ts'
import { getItem, listItems } from './datasets/items.ts'
import { createItem, deleteItem } from './datasets/write-item.ts'
import { listExperimentItems } from './experiments/items.ts'
import { listExperiments } from './experiments/list.ts'
import type { Route } from './http/router.ts'
import { getContent, putContent } from './media/content.ts'
import { getMedia, patchMedia, registerMedia } from './media/register.ts'
import { takeMetrics, takeTraces } from './otlp/intake.ts'
import { showTraces } from './pages/list.ts'
import { showTrace } from './pages/trace.ts'
import { deletePrompt, labelPrompt } from './prompts/change.ts'
import { createPrompt } from './prompts/create.ts'
import { getPrompt, listPrompts } from './prompts/read.ts'
import { createScores } from './scores/create.ts'
import { deleteScore, listScores } from './scores/list.ts'
import type { Service } from './service.ts'

/** Everything this service answers: a row each. */
export const ROUTES: readonly Route<Service>[] = [
  { method: 'POST', path: '/api/public/otel/v1/traces', access: 'project', handle: takeTraces },
  { method: 'POST', path: '/api/public/otel/v1/metrics', access: 'project', handle: takeMetrics },
  { method: 'GET', path: '/api/public/health', access: 'anyone', handle: getHealth },
  { method: 'GET', path: '/api/public/projects', access: 'project', handle: getProjects },
  { method: 'GET', path: '/api/public/v2/observations', access: 'project', handle: getObservations },
  { method: 'DELETE', path: '/api/public/traces', access: 'project', handle: deleteTraces },
  { method: 'DELETE', path: '/api/public/traces/{traceId}', access: 'project', handle: deleteTrace },
  { method: 'POST', path: '/api/public/scores', access: 'scores', handle: createScores },
  { method: 'GET', path: '/api/public/v3/scores', access: 'project', handle: listScores },
  { method: 'DELETE', path: '/api/public/scores/{scoreId}', access: 'project', handle: deleteScore },
  { method: 'POST', path: '/api/public/v2/datasets', access: 'project', handle: createDataset },
  { method: 'GET', path: '/api/public/v2/datasets', access: 'project', handle: listDatasets },
  { method: 'GET', path: '/api/public/v2/datasets/{datasetName}', access: 'project', handle: getDataset },
  { method: 'POST', path: '/api/public/dataset-items', access: 'project', handle: createItem },
  { method: 'GET', path: '/api/public/dataset-items', access: 'project', handle: listItems },
  { method: 'GET', path: '/api/public/dataset-items/{id}', access: 'project', handle: getItem },
  { method: 'DELETE', path: '/api/public/dataset-items/{id}', access: 'project', handle: deleteItem },
  { method: 'GET', path: '/api/public/experiments', access: 'project', handle: listExperiments },
  { method: 'GET', path: '/api/public/experiment-items', access: 'project', handle: listExperimentItems },
  { method: 'POST', path: '/api/public/v2/prompts', access: 'project', handle: createPrompt },
  { method: 'GET', path: '/api/public/v2/prompts', access: 'project', handle: listPrompts },
  { method: 'GET', path: '/api/public/v2/prompts/{promptName}', access: 'project', handle: getPrompt },
  { method: 'DELETE', path: '/api/public/v2/prompts/{promptName}', access: 'project', handle: deletePrompt },
  { method: 'PATCH', path: '/api/public/v2/prompts/{name}/versions/{version}', access: 'project', handle: labelPrompt },
  { method: 'POST', path: '/api/public/media', access: 'project', handle: registerMedia },
  { method: 'GET', path: '/api/public/media/{mediaId}', access: 'project', handle: getMedia },
  { method: 'PATCH', path: '/api/public/media/{mediaId}', access: 'project', handle: patchMedia },
  // The storage behind media files: the URLs are signed.
  { method: 'PUT', path: '/api/media/{mediaId}', access: 'anyone', handle: putContent },
  { method: 'GET', path: '/api/media/{mediaId}', access: 'anyone', handle: getContent },
  { method: 'GET', path: '/', access: 'page', handle: showTraces },
  { method: 'GET', path: '/traces/{traceId}', access: 'page', handle: showTrace },
]
