import { type NoRequest, row } from './endpoint.ts'
import type { HealthResponse, SubmitFeedbackRequest, SubmitFeedbackResponse } from './types/about.ts'
import type {
  AnnotationQueue,
  AnnotationQueueAssignmentRequest,
  AnnotationQueueItem,
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
import type {
  BlobStorageIntegrationDeletionResponse,
  BlobStorageIntegrationResponse,
  BlobStorageIntegrationStatusResponse,
  BlobStorageIntegrationsResponse,
  CreateBlobStorageIntegrationRequest,
} from './types/blob-storage-integrations.ts'
import type {
  Comment,
  CreateCommentRequest,
  CreateCommentResponse,
  GetCommentsRequest,
  GetCommentsResponse,
} from './types/comments.ts'
import type {
  CreateDashboardWidgetRequest,
  DashboardWidget,
  DashboardWidgetList,
  DeleteDashboardWidgetResponse,
  UpdateDashboardWidgetRequest,
} from './types/dashboard-widgets.ts'
import type {
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
import type {
  CreateDatasetItemRequest,
  DatasetItem,
  DeleteDatasetItemResponse,
  ListDatasetItemsRequest,
  PaginatedDatasetItems,
} from './types/dataset-items.ts'
import type { CreateDatasetRequest, Dataset, PaginatedDatasets } from './types/datasets.ts'
import type {
  CreateEvaluationRuleRequest,
  DeleteEvaluationRuleResponse,
  EvaluationRule,
  EvaluationRulesPage,
  UpdateEvaluationRuleRequest,
} from './types/evaluation-rules.ts'
import type { CreateEvaluatorRequest, DeleteEvaluatorResponse, Evaluator, EvaluatorsPage } from './types/evaluators.ts'
import type {
  ExperimentItemsResponse,
  ExperimentsResponse,
  ListExperimentItemsRequest,
  ListExperimentsRequest,
} from './types/experiments.ts'
import type {
  DeleteLlmConnectionResponse,
  LlmConnection,
  PaginatedLlmConnections,
  UpsertLlmConnectionRequest,
} from './types/llm-connections.ts'
import type {
  GetMediaResponse,
  GetMediaUploadUrlRequest,
  GetMediaUploadUrlResponse,
  PatchMediaBody,
} from './types/media.ts'
import type { CreateModelRequest, Model, PaginatedModels } from './types/models.ts'
import type {
  GetMetricsRequest,
  GetObservationsRequest,
  MetricsV2Response,
  ObservationsV2Response,
} from './types/observations.ts'
import type { ExportTracesRequest, OtelTraceResponse } from './types/opentelemetry.ts'
import type {
  DeleteMembershipRequest,
  MembershipDeletionResponse,
  MembershipRequest,
  MembershipResponse,
  MembershipsResponse,
  OrganizationApiKeysResponse,
  OrganizationProjectsResponse,
} from './types/organizations.ts'
import type { CursorRequest, PageRequest } from './types/pages.ts'
import type {
  ApiKeyDeletionResponse,
  ApiKeyList,
  ApiKeyResponse,
  CreateApiKeyRequest,
  CreateProjectRequest,
  Project,
  ProjectDeletionResponse,
  Projects,
  UpdateProjectRequest,
} from './types/projects.ts'
import type {
  CreatePromptRequest,
  DeletePromptRequest,
  GetPromptRequest,
  ListPromptsRequest,
  Prompt,
  PromptMetaListResponse,
  UpdatePromptVersionRequest,
} from './types/prompts.ts'
import type {
  CreateScimUserRequest,
  EmptyResponse,
  ListScimUsersRequest,
  ResourceTypesResponse,
  SchemasResponse,
  ScimUser,
  ScimUsersListResponse,
  ServiceProviderConfig,
} from './types/scim.ts'
import type {
  CreateScoreConfigRequest,
  ScoreConfig,
  ScoreConfigs,
  UpdateScoreConfigRequest,
} from './types/score-configs.ts'
import type {
  CreateScoreBatchResponse,
  CreateScoreBatchResults,
  CreateScoreRequest,
  GetScoresV3Request,
  GetScoresV3Response,
} from './types/scores.ts'
import type {
  CreateSkillVersionRequest,
  DeleteSkillVersionResponse,
  GetSkillRequest,
  ListSkillsRequest,
  SetSkillLabelsRequest,
  SkillFileContent,
  SkillsPage,
  SkillVersion,
  UpdateSkillRequest,
} from './types/skills.ts'
import type { DeleteTraceResponse, DeleteTracesRequest } from './types/traces.ts'

/**
 * Every endpoint of the service: a row each, with the types of path ids, request and response. {@link bind} makes the
 * methods of `client.api` from it.
 */
export const ENDPOINTS = {
  /** Queues of what people are to judge. */
  annotationQueues: {
    listQueues: row<[], PageRequest, PaginatedAnnotationQueues>('GET /annotation-queues page'),
    createQueue: row<[], CreateAnnotationQueueRequest, AnnotationQueue>('POST /annotation-queues body'),
    getQueue: row<[queueId: string], NoRequest, AnnotationQueue>('GET /annotation-queues/{queueId}'),
    listQueueItems: row<[queueId: string], ListAnnotationQueueItemsRequest, PaginatedAnnotationQueueItems>(
      'GET /annotation-queues/{queueId}/items page',
    ),
    getQueueItem: row<[queueId: string, itemId: string], NoRequest, AnnotationQueueItem>(
      'GET /annotation-queues/{queueId}/items/{itemId}',
    ),
    createQueueItem: row<[queueId: string], CreateAnnotationQueueItemRequest, AnnotationQueueItem>(
      'POST /annotation-queues/{queueId}/items body',
    ),
    updateQueueItem: row<[queueId: string, itemId: string], UpdateAnnotationQueueItemRequest, AnnotationQueueItem>(
      'PATCH /annotation-queues/{queueId}/items/{itemId} body',
    ),
    deleteQueueItem: row<[queueId: string, itemId: string], NoRequest, DeleteAnnotationQueueItemResponse>(
      'DELETE /annotation-queues/{queueId}/items/{itemId}',
    ),
    createQueueAssignment: row<
      [queueId: string],
      AnnotationQueueAssignmentRequest,
      CreateAnnotationQueueAssignmentResponse
    >('POST /annotation-queues/{queueId}/assignments body'),
    deleteQueueAssignment: row<
      [queueId: string],
      AnnotationQueueAssignmentRequest,
      DeleteAnnotationQueueAssignmentResponse
    >('DELETE /annotation-queues/{queueId}/assignments body'),
  },
  /** Exports to a storage of your own. */
  blobStorageIntegrations: {
    getBlobStorageIntegrations: row<[], NoRequest, BlobStorageIntegrationsResponse>('GET /integrations/blob-storage'),
    upsertBlobStorageIntegration: row<[], CreateBlobStorageIntegrationRequest, BlobStorageIntegrationResponse>(
      'PUT /integrations/blob-storage body',
    ),
    getBlobStorageIntegrationStatus: row<[id: string], NoRequest, BlobStorageIntegrationStatusResponse>(
      'GET /integrations/blob-storage/{id}',
    ),
    deleteBlobStorageIntegration: row<[id: string], NoRequest, BlobStorageIntegrationDeletionResponse>(
      'DELETE /integrations/blob-storage/{id}',
    ),
  },
  /** Remarks on traces, observations, sessions and prompts. */
  comments: {
    create: row<[], CreateCommentRequest, CreateCommentResponse>('POST /comments body'),
    get: row<[], GetCommentsRequest, GetCommentsResponse>('GET /comments page'),
    getById: row<[commentId: string], NoRequest, Comment>('GET /comments/{commentId}'),
  },
  /** Items of datasets. */
  datasetItems: {
    /** Creates an item, or replaces the one with the same `id`. */
    create: row<[], CreateDatasetItemRequest, DatasetItem>('POST /dataset-items body'),
    get: row<[id: string], NoRequest, DatasetItem>('GET /dataset-items/{id}'),
    list: row<[], ListDatasetItemsRequest, PaginatedDatasetItems>('GET /dataset-items page'),
    delete: row<[id: string], NoRequest, DeleteDatasetItemResponse>('DELETE /dataset-items/{id}'),
  },
  /** Datasets; their items are under `datasetItems`. */
  datasets: {
    list: row<[], PageRequest, PaginatedDatasets>('GET /v2/datasets page'),
    get: row<[datasetName: string], NoRequest, Dataset>('GET /v2/datasets/{datasetName}'),
    create: row<[], CreateDatasetRequest, Dataset>('POST /v2/datasets body'),
  },
  /** When evaluators run, and on what. */
  evaluationRules: {
    create: row<[], CreateEvaluationRuleRequest, EvaluationRule>('POST /v2/evaluation-rules body'),
    list: row<[], CursorRequest, EvaluationRulesPage>('GET /v2/evaluation-rules cursor'),
    get: row<[evaluationRuleId: string], NoRequest, EvaluationRule>('GET /v2/evaluation-rules/{evaluationRuleId}'),
    update: row<[evaluationRuleId: string], UpdateEvaluationRuleRequest, EvaluationRule>(
      'PATCH /v2/evaluation-rules/{evaluationRuleId} body',
    ),
    delete: row<[evaluationRuleId: string], NoRequest, DeleteEvaluationRuleResponse>(
      'DELETE /v2/evaluation-rules/{evaluationRuleId}',
    ),
  },
  /** What the service evaluates with. */
  evaluators: {
    create: row<[], CreateEvaluatorRequest, Evaluator>('POST /v2/evaluators body'),
    list: row<[], CursorRequest, EvaluatorsPage>('GET /v2/evaluators cursor'),
    get: row<[evaluatorId: string], NoRequest, Evaluator>('GET /v2/evaluators/{evaluatorId}'),
    delete: row<[evaluatorId: string], NoRequest, DeleteEvaluatorResponse>('DELETE /v2/evaluators/{evaluatorId}'),
  },
  /** Experiments, made from the spans of their runs. */
  experiments: {
    /** Experiments since `fromStartTime`. */
    list: row<[], ListExperimentsRequest, ExperimentsResponse>('GET /experiments cursor'),
    /** Items of experiments since `fromStartTime`. */
    listItems: row<[], ListExperimentItemsRequest, ExperimentItemsResponse>('GET /experiment-items cursor'),
  },
  /** What you think of the service itself. */
  feedback: {
    submit: row<[], SubmitFeedbackRequest, SubmitFeedbackResponse>('POST /feedback body'),
  },
  /** Whether the service is up. */
  health: {
    /** Needs no keys. */
    health: row<[], NoRequest, HealthResponse>('GET /health'),
  },
  /** Models that the service may call. */
  llmConnections: {
    list: row<[], PageRequest, PaginatedLlmConnections>('GET /llm-connections page'),
    /** Creates a connection, or replaces it. */
    upsert: row<[], UpsertLlmConnectionRequest, LlmConnection>('PUT /llm-connections body'),
    delete: row<[id: string], NoRequest, DeleteLlmConnectionResponse>('DELETE /llm-connections/{id}'),
  },
  /** Files that belong to traces and dataset items. `client.media` has the protocol around it. */
  media: {
    /** Where the bytes of a file can be fetched, for a while. */
    get: row<[mediaId: string], NoRequest, GetMediaResponse>('GET /media/{mediaId}'),
    /** Reports how an upload went. */
    patch: row<[mediaId: string], PatchMediaBody, void>('PATCH /media/{mediaId} body'),
    /** Where to put a file, or that the service has it already. */
    getUploadUrl: row<[], GetMediaUploadUrlRequest, GetMediaUploadUrlResponse>('POST /media body'),
  },
  /** Numbers over many observations. */
  metrics: {
    /** The query is a JSON text. */
    metrics: row<[], GetMetricsRequest, MetricsV2Response>('GET /v2/metrics query'),
  },
  /** Prices of models. */
  models: {
    create: row<[], CreateModelRequest, Model>('POST /models body'),
    list: row<[], PageRequest, PaginatedModels>('GET /models page'),
    get: row<[id: string], NoRequest, Model>('GET /models/{id}'),
    delete: row<[id: string], NoRequest, void>('DELETE /models/{id}'),
  },
  /** Observations, and with them traces and sessions. */
  observations: {
    getMany: row<[], GetObservationsRequest, ObservationsV2Response>('GET /v2/observations cursor'),
  },
  /** The trace intake. Meant for exporters. */
  opentelemetry: {
    exportTraces: row<[], ExportTracesRequest, OtelTraceResponse>('POST /otel/v1/traces body'),
  },
  /** Members and projects of an organization. Organization keys. */
  organizations: {
    getOrganizationMemberships: row<[], NoRequest, MembershipsResponse>('GET /organizations/memberships'),
    updateOrganizationMembership: row<[], MembershipRequest, MembershipResponse>('PUT /organizations/memberships body'),
    deleteOrganizationMembership: row<[], DeleteMembershipRequest, MembershipDeletionResponse>(
      'DELETE /organizations/memberships body',
    ),
    getProjectMemberships: row<[projectId: string], NoRequest, MembershipsResponse>(
      'GET /projects/{projectId}/memberships',
    ),
    updateProjectMembership: row<[projectId: string], MembershipRequest, MembershipResponse>(
      'PUT /projects/{projectId}/memberships body',
    ),
    deleteProjectMembership: row<[projectId: string], DeleteMembershipRequest, MembershipDeletionResponse>(
      'DELETE /projects/{projectId}/memberships body',
    ),
    getOrganizationProjects: row<[], NoRequest, OrganizationProjectsResponse>('GET /organizations/projects'),
    getOrganizationApiKeys: row<[], NoRequest, OrganizationApiKeysResponse>('GET /organizations/apiKeys'),
  },
  /** The project of the keys; with organization keys, all of them. */
  projects: {
    /** The project that the keys belong to. */
    get: row<[], NoRequest, Projects>('GET /projects'),
    create: row<[], CreateProjectRequest, Project>('POST /projects body'),
    update: row<[projectId: string], UpdateProjectRequest, Project>('PUT /projects/{projectId} body'),
    delete: row<[projectId: string], NoRequest, ProjectDeletionResponse>('DELETE /projects/{projectId}'),
    getApiKeys: row<[projectId: string], NoRequest, ApiKeyList>('GET /projects/{projectId}/apiKeys'),
    createApiKey: row<[projectId: string], CreateApiKeyRequest, ApiKeyResponse>(
      'POST /projects/{projectId}/apiKeys body',
    ),
    deleteApiKey: row<[projectId: string, apiKeyId: string], NoRequest, ApiKeyDeletionResponse>(
      'DELETE /projects/{projectId}/apiKeys/{apiKeyId}',
    ),
  },
  /** Labels of prompt versions. */
  promptVersion: {
    /** Gives a version labels, which other versions lose. */
    update: row<[name: string, version: number], UpdatePromptVersionRequest, Prompt>(
      'PATCH /v2/prompts/{name}/versions/{version} body',
    ),
  },
  /** Prompts. `client.prompt` has a cache in front of it. */
  prompts: {
    /** Default: the version labelled `production`. */
    get: row<[promptName: string], GetPromptRequest, Prompt>('GET /v2/prompts/{promptName} query'),
    list: row<[], ListPromptsRequest, PromptMetaListResponse>('GET /v2/prompts page'),
    /** Creates a version of a prompt. */
    create: row<[], CreatePromptRequest, Prompt>('POST /v2/prompts body'),
    /** Deletes the versions with a label, one version, or all of them. */
    delete: row<[promptName: string], DeletePromptRequest, void>('DELETE /v2/prompts/{promptName} query'),
  },
  /** Users, for identity providers. Organization keys. */
  scim: {
    getServiceProviderConfig: row<[], NoRequest, ServiceProviderConfig>('GET /scim/ServiceProviderConfig'),
    getResourceTypes: row<[], NoRequest, ResourceTypesResponse>('GET /scim/ResourceTypes'),
    getSchemas: row<[], NoRequest, SchemasResponse>('GET /scim/Schemas'),
    listUsers: row<[], ListScimUsersRequest, ScimUsersListResponse>('GET /scim/Users query'),
    createUser: row<[], CreateScimUserRequest, ScimUser>('POST /scim/Users body'),
    getUser: row<[userId: string], NoRequest, ScimUser>('GET /scim/Users/{userId}'),
    deleteUser: row<[userId: string], NoRequest, EmptyResponse>('DELETE /scim/Users/{userId}'),
  },
  /** What scores may be. */
  scoreConfigs: {
    create: row<[], CreateScoreConfigRequest, ScoreConfig>('POST /score-configs body'),
    get: row<[], PageRequest, ScoreConfigs>('GET /score-configs page'),
    getById: row<[configId: string], NoRequest, ScoreConfig>('GET /score-configs/{configId}'),
    update: row<[configId: string], UpdateScoreConfigRequest, ScoreConfig>('PATCH /score-configs/{configId} body'),
  },
  /** Scores. `client.score` has a queue in front of it. */
  scores: {
    /** At most 100 scores in one call. {@link CreateScoreBatchResults} when some were refused. */
    create: row<[], readonly CreateScoreRequest[], CreateScoreBatchResponse | CreateScoreBatchResults>(
      'POST /scores list',
    ),
    /** Scores API v3. */
    getMany: row<[], GetScoresV3Request, GetScoresV3Response>('GET /v3/scores cursor'),
    delete: row<[scoreId: string], NoRequest, void>('DELETE /scores/{scoreId}'),
  },
  /** Deleting traces. They are read through `observations`. */
  trace: {
    /** Deletes a trace with its observations and scores. */
    delete: row<[traceId: string], NoRequest, DeleteTraceResponse>('DELETE /traces/{traceId}'),
    /** Deletes traces with their observations and scores: 1,000 in one call are safe. */
    deleteMultiple: row<[], DeleteTracesRequest, DeleteTraceResponse>('DELETE /traces body'),
  },
  /** What may still change in a minor version. */
  unstable: {
    dashboardWidgets: {
      list: row<[], PageRequest, DashboardWidgetList>('GET /unstable/dashboard-widgets page'),
      create: row<[], CreateDashboardWidgetRequest, DashboardWidget>('POST /unstable/dashboard-widgets body'),
      get: row<[widgetId: string], NoRequest, DashboardWidget>('GET /unstable/dashboard-widgets/{widgetId}'),
      update: row<[widgetId: string], UpdateDashboardWidgetRequest, DashboardWidget>(
        'PATCH /unstable/dashboard-widgets/{widgetId} body',
      ),
      delete: row<[widgetId: string], NoRequest, DeleteDashboardWidgetResponse>(
        'DELETE /unstable/dashboard-widgets/{widgetId}',
      ),
    },
    dashboards: {
      list: row<[], PageRequest, DashboardList>('GET /unstable/dashboards page'),
      create: row<[], CreateDashboardRequest, Dashboard>('POST /unstable/dashboards body'),
      get: row<[dashboardId: string], NoRequest, Dashboard>('GET /unstable/dashboards/{dashboardId}'),
      update: row<[dashboardId: string], UpdateDashboardRequest, Dashboard>(
        'PATCH /unstable/dashboards/{dashboardId} body',
      ),
      delete: row<[dashboardId: string], NoRequest, DeleteDashboardResponse>(
        'DELETE /unstable/dashboards/{dashboardId}',
      ),
      addPlacement: row<[dashboardId: string], CreateDashboardPlacementRequest, DashboardPlacement>(
        'POST /unstable/dashboards/{dashboardId}/placements body',
      ),
      updatePlacement: row<
        [dashboardId: string, placementId: string],
        UpdateDashboardPlacementRequest,
        DashboardPlacement
      >('PATCH /unstable/dashboards/{dashboardId}/placements/{placementId} body'),
      deletePlacement: row<[dashboardId: string, placementId: string], NoRequest, DeleteDashboardPlacementResponse>(
        'DELETE /unstable/dashboards/{dashboardId}/placements/{placementId}',
      ),
    },
    skills: {
      list: row<[], ListSkillsRequest, SkillsPage>('GET /unstable/skills page'),
      createVersion: row<[], CreateSkillVersionRequest, SkillVersion>('POST /unstable/skills body'),
      get: row<[skillName: string], GetSkillRequest, SkillVersion>('GET /unstable/skills/{skillName} query'),
      update: row<[skillName: string], UpdateSkillRequest, SkillVersion>('PATCH /unstable/skills/{skillName} body'),
      getFileContent: row<[fileId: string], NoRequest, SkillFileContent>('GET /unstable/skills/files/{fileId}/content'),
      setLabels: row<[skillName: string, skillVersion: number], SetSkillLabelsRequest, SkillVersion>(
        'PATCH /unstable/skills/{skillName}/versions/{skillVersion} body',
      ),
      deleteVersion: row<[skillName: string, skillVersion: number], NoRequest, DeleteSkillVersionResponse>(
        'DELETE /unstable/skills/{skillName}/versions/{skillVersion}',
      ),
    },
  },
}
