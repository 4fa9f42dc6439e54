import { getHealth, getProjects } from './api/about.ts'
import { getObservations } from './api/observations.ts'
import { deleteTrace, deleteTraces } from './api/traces.ts'
import type { Route } from './http/router.ts'
import { takeMetrics, takeTraces } from './otlp/intake.ts'
import { showTraces } from './pages/list.ts'
import { showTrace } from './pages/trace.ts'
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
  { method: 'GET', path: '/', access: 'page', handle: showTraces },
  { method: 'GET', path: '/traces/{traceId}', access: 'page', handle: showTrace },
]
