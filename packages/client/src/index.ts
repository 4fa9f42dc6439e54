export type { Logger, LoggerOptions } from '@svc/core/log'
export { configureGlobalLogger, createLogger, getGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
export { type ScoreBody, ScoreDataType } from '@svc/core/score'
export type { MediaPlace } from '@svc/core/upload-media'
export type { SvcApi } from './api/bind.ts'
export type { ApiPages, ApiPromise } from './api/call.ts'
export {
  AccessDeniedError,
  BadRequestError,
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
export {
  type CreateScoreBatchError,
  type CreateScoreBatchResponse,
  type CreateScoreBatchResults,
  type CreateScoreRequest,
  type CreateScoreResponse,
  CreateScoreSource,
  type GetScoresV3Request,
  type GetScoresV3Response,
  type ScoreV3,
} from './api/types/scores.ts'
export { SvcClient } from './client.ts'
export { DatasetManager } from './dataset/dataset-manager.ts'
export type {
  CreateDatasetItemBody,
  DatasetVersion,
  FetchedDataset,
  GetDatasetOptions,
  RunExperimentOnDataset,
  SvcDatasetItem,
} from './dataset/dataset-types.ts'
export { createEvaluatorFromAutoevals } from './experiment/autoevals.ts'
export type { DeletedExperiment, ExperimentToDelete } from './experiment/delete-experiment.ts'
export { ExperimentManager } from './experiment/experiment-manager.ts'
export type {
  Evaluation,
  Evaluator,
  EvaluatorError,
  EvaluatorParams,
  ExperimentItem,
  ExperimentItemResult,
  ExperimentLimits,
  ExperimentParams,
  ExperimentResult,
  ExperimentTask,
  ExperimentTaskParams,
  FailedItem,
  FormatOptions,
  RunEvaluator,
  RunEvaluatorParams,
} from './experiment/experiment-types.ts'
export {
  RegressionError,
  type RegressionErrorMessageOptions,
  type RegressionErrorMetricOptions,
  type RegressionErrorOptions,
} from './experiment/regression-error.ts'
export {
  RunnerContext,
  type RunnerContextExperimentParams,
  type RunnerContextOptions,
} from './experiment/runner-context.ts'
export { MediaManager, type ResolveReferencesParams } from './media/media-manager.ts'
export type { ParsedMediaReference } from './media/reference-string.ts'
export { SvcMedia, type SvcMediaParams } from './media/svc-media.ts'
export { SvcMediaReference, type SvcMediaReferenceParams } from './media/svc-media-reference.ts'
export type { SvcClientOptions, SvcClientOptions as SvcClientParams } from './options.ts'
export type {
  CreateChatPromptBody,
  CreateChatPromptBody as CreateChatPromptBodyWithPlaceholders,
} from './prompt/create-request.ts'
export { ChatPromptClient, type SvcPromptClient, TextPromptClient } from './prompt/prompt-client.ts'
export type { PromptFile, PromptFiles } from './prompt/prompt-files.ts'
export { PromptManager, type PromptUpdate } from './prompt/prompt-manager.ts'
export type { GetPromptOptions, PromptClientOf, PromptFallback, PromptKind } from './prompt/prompt-options.ts'
export {
  type ChatMessageOrPlaceholder,
  ChatMessageType,
  type LangchainMessagesPlaceholder,
  type PromptMessage,
  type PromptPlaceholder,
  type PromptPlaceholders,
} from './prompt/prompt-types.ts'
export type { PromptValue } from './prompt/registered.ts'
export type { PromptVariables } from './prompt/template.ts'
export { SvcScoreError } from './score/score-error.ts'
export { type ScoreData, ScoreManager } from './score/score-manager.ts'
