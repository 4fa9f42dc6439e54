export { MediaContentType } from '@svc/core/media'
export { type ScoreBody, ScoreDataType } from '@svc/core/score'
export type { SvcApi } from './bind.ts'
export type { ApiPages, ApiPromise } from './call.ts'
export type { NoRequest } from './endpoint.ts'
export {
  AccessDeniedError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  MethodNotAllowedError,
  NotFoundError,
  ServiceUnavailableError,
  SvcAPIError,
  type SvcAPIErrorDetails,
  SvcAPITimeoutError,
  SvcPageError,
  TooManyRequestsError,
  UnauthorizedError,
  UnprocessableContentError,
} from './errors.ts'
export type { RawResponse, WithRawResponse } from './raw-response.ts'
export type { RequestOptions } from './request-options.ts'
export * from './types/about.ts'
export * from './types/annotation-queues.ts'
export * from './types/blob-storage-integrations.ts'
export * from './types/comments.ts'
export * from './types/dashboard-widgets.ts'
export * from './types/dashboards.ts'
export * from './types/dataset-items.ts'
export * from './types/datasets.ts'
export * from './types/error-body.ts'
export * from './types/evaluation-rules.ts'
export * from './types/evaluators.ts'
export * from './types/experiments.ts'
export * from './types/llm-connections.ts'
export * from './types/media.ts'
export * from './types/models.ts'
export * from './types/observations.ts'
export * from './types/opentelemetry.ts'
export * from './types/organizations.ts'
export * from './types/pages.ts'
export * from './types/projects.ts'
export * from './types/prompts.ts'
export * from './types/scim.ts'
export * from './types/score-configs.ts'
export * from './types/scores.ts'
export * from './types/skills.ts'
export * from './types/traces.ts'
