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
export { DatasetManager, DatasetManager } from './dataset/dataset-manager.ts'
export type {
  CreateDatasetItemBody,
  CreateDatasetItemBody,
  FetchedDataset,
  FetchedDataset,
  GetDatasetOptions,
  GetDatasetOptions,
  RunExperimentOnDataset,
  RunExperimentOnDataset,
  SvcDatasetItem,
  SvcDatasetItem,
} from './dataset/dataset-types.ts'
export { createEvaluatorFromAutoevals, createEvaluatorFromAutoevals } from './experiment/autoevals.ts'
export type {
  DeletedExperiment,
  DeletedExperiment,
  ExperimentToDelete,
  ExperimentToDelete,
} from './experiment/delete-experiment.ts'
export { ExperimentManager, ExperimentManager } from './experiment/experiment-manager.ts'
export type {
  Evaluation,
  Evaluation,
  Evaluator,
  Evaluator,
  EvaluatorParams,
  EvaluatorParams,
  ExperimentItem,
  ExperimentItem,
  ExperimentItemResult,
  ExperimentItemResult,
  ExperimentLimits,
  ExperimentLimits,
  ExperimentParams,
  ExperimentParams,
  ExperimentResult,
  ExperimentResult,
  ExperimentTask,
  ExperimentTask,
  ExperimentTaskParams,
  ExperimentTaskParams,
  FailedItem,
  FailedItem,
  FormatOptions,
  FormatOptions,
  RunEvaluator,
  RunEvaluator,
  RunEvaluatorParams,
  RunEvaluatorParams,
} from './experiment/experiment-types.ts'
export {
  RegressionError,
  RegressionError,
  type RegressionErrorParams,
  type RegressionErrorParams,
} from './experiment/regression-error.ts'
export {
  RunnerContext,
  RunnerContext,
  type RunnerContextParams,
  type RunnerContextParams,
} from './experiment/runner-context.ts'
export { MediaManager, type ResolveReferencesParams } from './media/media-manager.ts'
export type { ParsedMediaReference } from './media/reference-string.ts'
export { SvcMedia, type SvcMediaParams } from './media/svc-media.ts'
export { SvcMediaReference, type SvcMediaReferenceParams } from './media/svc-media-reference.ts'
export type { MediaPlace } from './media/upload.ts'
export type { SvcClientOptions } from './options.ts'
export type { CreateChatPromptBody, CreateChatPromptBody } from './prompt/create-request.ts'
export {
  ChatPromptClient,
  ChatPromptClient,
  type SvcPromptClient,
  type SvcPromptClient,
  TextPromptClient,
  TextPromptClient,
} from './prompt/prompt-client.ts'
export { PromptManager, PromptManager, type PromptUpdate, type PromptUpdate } from './prompt/prompt-manager.ts'
export type {
  GetPromptOptions,
  GetPromptOptions,
  PromptClientOf,
  PromptClientOf,
  PromptFallback,
  PromptFallback,
  PromptKind,
  PromptKind,
} from './prompt/prompt-options.ts'
export {
  type ChatMessageOrPlaceholder,
  type ChatMessageOrPlaceholder,
  ChatMessageType,
  ChatMessageType,
  type LangchainMessagesPlaceholder,
  type LangchainMessagesPlaceholder,
  type PromptMessage,
  type PromptMessage,
  type PromptPlaceholder,
  type PromptPlaceholder,
  type PromptPlaceholders,
  type PromptPlaceholders,
} from './prompt/prompt-types.ts'
export type { PromptVariables, PromptVariables } from './prompt/template.ts'
export { type ScoreData, ScoreManager } from './score/score-manager.ts'
