export type { Logger, LoggerOptions } from '@svc/core/log'
export { configureGlobalLogger, createLogger, getGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
export type { ScoreBody, ScoreDataType } from '@svc/core/score'
export type { SvcApi } from './api/bind.ts'
export type { ApiPages, ApiPromise } from './api/call.ts'
export {
  AccessDeniedError,
  BadRequestError,
  BadRequestError as Error,
  ConflictError,
  InternalServerError,
  MethodNotAllowedError,
  NotFoundError,
  ServiceUnavailableError,
  SvcAPIError,
  SvcAPITimeoutError,
  SvcPageError,
  TooManyRequestsError,
  UnauthorizedError,
  UnprocessableContentError,
} from './api/errors.ts'
export type { RawResponse, WithRawResponse } from './api/raw-response.ts'
export type { RequestOptions } from './api/request-options.ts'
export type { CreateDatasetItemRequest, DatasetItem } from './api/types/dataset-items.ts'
export type { Dataset } from './api/types/datasets.ts'
export type { ExperimentItem as RecordedExperimentItem } from './api/types/experiments.ts'
export type {
  CreateScoreBatchError,
  CreateScoreBatchResponse,
  CreateScoreBatchResults,
  CreateScoreRequest,
  CreateScoreSource,
  GetScoresV3Request,
  GetScoresV3Response,
  ScoreV3,
} from './api/types/scores.ts'
export { SvcClient } from './client.ts'
export { MediaManager, type ResolveReferencesParams } from './media/media-manager.ts'
export type { ParsedMediaReference } from './media/reference-string.ts'
export { SvcMedia, type SvcMediaParams } from './media/svc-media.ts'
export { SvcMediaReference, type SvcMediaReferenceParams } from './media/svc-media-reference.ts'
export type { MediaPlace } from './media/upload.ts'
export type { SvcClientOptions } from './options.ts'
export { type ScoreData, ScoreManager } from './score/score-manager.ts'
