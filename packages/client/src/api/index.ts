export type { MediaContentType } from '@svc/core/media'
export type { ScoreBody, ScoreDataType } from '@svc/core/score'
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
export type { HealthResponse, SubmitFeedbackRequest, SubmitFeedbackResponse } from './types/about.ts'
export type {
  AnnotationQueue,
  AnnotationQueueAssignmentRequest,
  AnnotationQueueItem,
  AnnotationQueueStatus,
  CreateAnnotationQueueAssignmentResponse,
  CreateAnnotationQueueItemRequest,
  CreateAnnotationQueueRequest,
  DeleteAnnotationQueueAssignmentResponse,
  DeleteAnnotationQueueItemResponse,
  ListAnnotationQueueItemsRequest,
  PaginatedAnnotationQueueItems,
  PaginatedAnnotationQueues,
  UpdateAnnotationQueueItemRequest,
} from './types/annotation-queues.ts'
export type {
  BlobStorageIntegrationDeletionResponse,
  BlobStorageIntegrationFileTypeResponse,
  BlobStorageIntegrationResponse,
  BlobStorageIntegrationStatusResponse,
  BlobStorageIntegrationsResponse,
  BlobStorageSyncStatus,
  CreateBlobStorageIntegrationRequest,
} from './types/blob-storage-integrations.ts'
export type {
  Comment,
  CommentObjectType,
  CreateCommentRequest,
  CreateCommentResponse,
  GetCommentsRequest,
  GetCommentsResponse,
} from './types/comments.ts'
export type {
  CreateDashboardWidgetRequest,
  DashboardWidget,
  DashboardWidgetList,
  DeleteDashboardWidgetResponse,
  UpdateDashboardWidgetRequest,
} from './types/dashboard-widgets.ts'
export type {
  CreateDashboardPlacementRequest,
  CreateDashboardRequest,
  Dashboard,
  DashboardList,
  DashboardPlacement,
  DeleteDashboardPlacementResponse,
  DeleteDashboardResponse,
  UpdateDashboardPlacementRequest,
  UpdateDashboardRequest,
} from './types/dashboards.ts'
export type {
  CreateDatasetItemRequest,
  DatasetItem,
  DatasetItemMediaReference,
  DatasetStatus,
  DeleteDatasetItemResponse,
  ListDatasetItemsRequest,
  PaginatedDatasetItems,
} from './types/dataset-items.ts'
export type { CreateDatasetRequest, Dataset, PaginatedDatasets } from './types/datasets.ts'
export type { PublicApiError, PublicApiErrorCode, PublicApiErrorDetails } from './types/error-body.ts'
export type {
  CreateEvaluationRuleAssignment,
  CreateEvaluationRuleRequest,
  DeleteEvaluationRuleResponse,
  EvaluationRule,
  EvaluationRuleAssignment,
  EvaluationRuleFilter,
  EvaluationRulesPage,
  UpdateEvaluationRuleRequest,
} from './types/evaluation-rules.ts'
export type {
  CreateEvaluatorRequest,
  DeleteEvaluatorResponse,
  Evaluator,
  EvaluatorsPage,
  EvaluatorType,
} from './types/evaluators.ts'
export type {
  Experiment,
  ExperimentItem,
  ExperimentItemsResponse,
  ExperimentsResponse,
  ListExperimentItemsRequest,
  ListExperimentsRequest,
} from './types/experiments.ts'
export type {
  DeleteLlmConnectionResponse,
  LlmAdapter,
  LlmConnection,
  PaginatedLlmConnections,
  UpsertLlmConnectionRequest,
} from './types/llm-connections.ts'
export type {
  GetMediaResponse,
  GetMediaUploadUrlRequest,
  GetMediaUploadUrlResponse,
  PatchMediaBody,
} from './types/media.ts'
export type { CreateModelRequest, Model, ModelPrice, ModelUsageUnit, PaginatedModels } from './types/models.ts'
export type {
  GetMetricsRequest,
  GetObservationsRequest,
  MetricsV2Response,
  ObservationLevel,
  ObservationsV2Response,
  ObservationV2,
} from './types/observations.ts'
export type { ExportTracesRequest, OtelTraceResponse } from './types/opentelemetry.ts'
export type {
  DeleteMembershipRequest,
  MembershipDeletionResponse,
  MembershipRequest,
  MembershipResponse,
  MembershipRole,
  MembershipsResponse,
  OrganizationApiKey,
  OrganizationApiKeysResponse,
  OrganizationProject,
  OrganizationProjectsResponse,
} from './types/organizations.ts'
export type { CursorMeta, CursorRequest, MetaResponse, Moment, PageRequest } from './types/pages.ts'
export type {
  ApiKeyDeletionResponse,
  ApiKeyList,
  ApiKeyResponse,
  ApiKeySummary,
  CreateApiKeyRequest,
  CreateProjectRequest,
  Organization,
  Project,
  ProjectDeletionResponse,
  Projects,
  UpdateProjectRequest,
} from './types/projects.ts'
export type {
  ChatMessage,
  ChatMessageWithPlaceholders,
  ChatPrompt,
  CreateChatPromptRequest,
  CreatePromptRequest,
  CreateTextPromptRequest,
  DeletePromptRequest,
  GetPromptRequest,
  ListPromptsRequest,
  PlaceholderMessage,
  Prompt,
  PromptMeta,
  PromptMetaListResponse,
  PromptType,
  TextPrompt,
  UpdatePromptVersionRequest,
} from './types/prompts.ts'
export type {
  AuthenticationScheme,
  CreateScimUserRequest,
  EmptyResponse,
  ListScimUsersRequest,
  ResourceTypesResponse,
  SchemaExtension,
  SchemaResource,
  SchemasResponse,
  ScimUser,
  ScimUsersListResponse,
  ServiceProviderConfig,
} from './types/scim.ts'
export type {
  ConfigCategory,
  CreateScoreConfigRequest,
  ScoreConfig,
  ScoreConfigDataType,
  ScoreConfigs,
  UpdateScoreConfigRequest,
} from './types/score-configs.ts'
export type {
  CreateScoreBatchError,
  CreateScoreBatchResponse,
  CreateScoreBatchResults,
  CreateScoreRequest,
  CreateScoreResponse,
  CreateScoreSource,
  GetScoresV3Request,
  GetScoresV3Response,
  ScoreSource,
  ScoreSubjectV3,
  ScoreV3,
} from './types/scores.ts'
export type {
  CreateSkillVersionRequest,
  DeleteSkillVersionResponse,
  GetSkillRequest,
  ListSkillsRequest,
  SetSkillLabelsRequest,
  SkillFile,
  SkillFileContent,
  SkillFileInput,
  SkillMeta,
  SkillsPage,
  SkillVersion,
  UpdateSkillRequest,
} from './types/skills.ts'
export type { DeleteTraceResponse, DeleteTracesRequest } from './types/traces.ts'
