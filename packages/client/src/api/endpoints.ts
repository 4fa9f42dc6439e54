import { type NoRequest, row } from './endpoint.ts'
import type * as types from './types/index.ts'

/**
 * Every endpoint of the service, with the types of path ids, request and response. {@link bind} creates the methods of
 * `client.api` from this table.
 */
export const ENDPOINTS = {
  /** Queues of objects for human annotation. */
  annotationQueues: {
    listQueues: row<[], types.PageRequest, types.PaginatedAnnotationQueues>('GET /annotation-queues page'),
    createQueue: row<[], types.CreateAnnotationQueueRequest, types.AnnotationQueue>('POST /annotation-queues body'),
    getQueue: row<[queueId: string], NoRequest, types.AnnotationQueue>('GET /annotation-queues/{queueId}'),
    listQueueItems: row<[queueId: string], types.ListAnnotationQueueItemsRequest, types.PaginatedAnnotationQueueItems>(
      'GET /annotation-queues/{queueId}/items page',
    ),
    getQueueItem: row<[queueId: string, itemId: string], NoRequest, types.AnnotationQueueItem>(
      'GET /annotation-queues/{queueId}/items/{itemId}',
    ),
    createQueueItem: row<[queueId: string], types.CreateAnnotationQueueItemRequest, types.AnnotationQueueItem>(
      'POST /annotation-queues/{queueId}/items body',
    ),
    updateQueueItem: row<
      [queueId: string, itemId: string],
      types.UpdateAnnotationQueueItemRequest,
      types.AnnotationQueueItem
    >('PATCH /annotation-queues/{queueId}/items/{itemId} body'),
    deleteQueueItem: row<[queueId: string, itemId: string], NoRequest, types.DeleteAnnotationQueueItemResponse>(
      'DELETE /annotation-queues/{queueId}/items/{itemId}',
    ),
    createQueueAssignment: row<
      [queueId: string],
      types.AnnotationQueueAssignmentRequest,
      types.CreateAnnotationQueueAssignmentResponse
    >('POST /annotation-queues/{queueId}/assignments body'),
    deleteQueueAssignment: row<
      [queueId: string],
      types.AnnotationQueueAssignmentRequest,
      types.DeleteAnnotationQueueAssignmentResponse
    >('DELETE /annotation-queues/{queueId}/assignments body'),
  },
  /** Exports to your own storage. */
  blobStorageIntegrations: {
    getBlobStorageIntegrations: row<[], NoRequest, types.BlobStorageIntegrationsResponse>(
      'GET /integrations/blob-storage',
    ),
    upsertBlobStorageIntegration: row<
      [],
      types.CreateBlobStorageIntegrationRequest,
      types.BlobStorageIntegrationResponse
    >('PUT /integrations/blob-storage body'),
    getBlobStorageIntegrationStatus: row<[id: string], NoRequest, types.BlobStorageIntegrationStatusResponse>(
      'GET /integrations/blob-storage/{id}',
    ),
    deleteBlobStorageIntegration: row<[id: string], NoRequest, types.BlobStorageIntegrationDeletionResponse>(
      'DELETE /integrations/blob-storage/{id}',
    ),
  },
  /** Comments on traces, observations, sessions and prompts. */
  comments: {
    create: row<[], types.CreateCommentRequest, types.CreateCommentResponse>('POST /comments body'),
    get: row<[], types.GetCommentsRequest, types.GetCommentsResponse>('GET /comments page'),
    getById: row<[commentId: string], NoRequest, types.Comment>('GET /comments/{commentId}'),
  },
  /** Items of datasets. */
  datasetItems: {
    /** Creates an item, or replaces the one with the same `id`. */
    create: row<[], types.CreateDatasetItemRequest, types.DatasetItem>('POST /dataset-items body id'),
    get: row<[id: string], NoRequest, types.DatasetItem>('GET /dataset-items/{id}'),
    list: row<[], types.ListDatasetItemsRequest, types.PaginatedDatasetItems>('GET /dataset-items page'),
    delete: row<[id: string], NoRequest, types.DeleteDatasetItemResponse>('DELETE /dataset-items/{id}'),
  },
  /** Datasets; their items are under `datasetItems`. */
  datasets: {
    list: row<[], types.PageRequest, types.PaginatedDatasets>('GET /v2/datasets page'),
    get: row<[datasetName: string], NoRequest, types.Dataset>('GET /v2/datasets/{datasetName}'),
    create: row<[], types.CreateDatasetRequest, types.Dataset>('POST /v2/datasets body name'),
  },
  /** Rules that determine when evaluators run, and on which objects. */
  evaluationRules: {
    create: row<[], types.CreateEvaluationRuleRequest, types.EvaluationRule>('POST /v2/evaluation-rules body'),
    list: row<[], types.CursorRequest, types.EvaluationRulesPage>('GET /v2/evaluation-rules cursor'),
    get: row<[evaluationRuleId: string], NoRequest, types.EvaluationRule>(
      'GET /v2/evaluation-rules/{evaluationRuleId}',
    ),
    update: row<[evaluationRuleId: string], types.UpdateEvaluationRuleRequest, types.EvaluationRule>(
      'PATCH /v2/evaluation-rules/{evaluationRuleId} body',
    ),
    delete: row<[evaluationRuleId: string], NoRequest, types.DeleteEvaluationRuleResponse>(
      'DELETE /v2/evaluation-rules/{evaluationRuleId}',
    ),
  },
  /** Evaluators that the service runs. */
  evaluators: {
    create: row<[], types.CreateEvaluatorRequest, types.Evaluator>('POST /v2/evaluators body'),
    list: row<[], types.CursorRequest, types.EvaluatorsPage>('GET /v2/evaluators cursor'),
    get: row<[evaluatorId: string], NoRequest, types.Evaluator>('GET /v2/evaluators/{evaluatorId}'),
    delete: row<[evaluatorId: string], NoRequest, types.DeleteEvaluatorResponse>('DELETE /v2/evaluators/{evaluatorId}'),
  },
  /** Experiments, which the service derives from the spans of their runs. */
  experiments: {
    /** Lists experiments since `fromStartTime`. */
    list: row<[], types.ListExperimentsRequest, types.ExperimentsResponse>('GET /experiments cursor'),
    /** Lists items of experiments since `fromStartTime`. */
    listItems: row<[], types.ListExperimentItemsRequest, types.ExperimentItemsResponse>('GET /experiment-items cursor'),
  },
  /** Feedback about the service itself. */
  feedback: {
    submit: row<[], types.SubmitFeedbackRequest, types.SubmitFeedbackResponse>('POST /feedback body'),
  },
  /** Whether the service is up. */
  health: {
    /** Needs no keys. */
    health: row<[], NoRequest, types.HealthResponse>('GET /health'),
  },
  /** Connections to model providers that the service may call. */
  llmConnections: {
    list: row<[], types.PageRequest, types.PaginatedLlmConnections>('GET /llm-connections page'),
    /** Creates a connection, or replaces it. */
    upsert: row<[], types.UpsertLlmConnectionRequest, types.LlmConnection>('PUT /llm-connections body'),
    delete: row<[id: string], NoRequest, types.DeleteLlmConnectionResponse>('DELETE /llm-connections/{id}'),
  },
  /** Media of traces and dataset items. `client.media` implements the upload protocol. */
  media: {
    /** Returns a temporary URL for the bytes of a file. */
    get: row<[mediaId: string], NoRequest, types.GetMediaResponse>('GET /media/{mediaId}'),
    /** Reports the outcome of an upload. */
    patch: row<[mediaId: string], types.PatchMediaBody, void>('PATCH /media/{mediaId} body'),
    /** Returns the upload URL of a file, if the service does not have it yet. */
    getUploadUrl: row<[], types.GetMediaUploadUrlRequest, types.GetMediaUploadUrlResponse>('POST /media body'),
  },
  /** Aggregated metrics of observations. */
  metrics: {
    /** The query is a JSON string. */
    metrics: row<[], types.GetMetricsRequest, types.MetricsV2Response>('GET /v2/metrics query'),
  },
  /** Prices of models. */
  models: {
    create: row<[], types.CreateModelRequest, types.Model>('POST /models body'),
    list: row<[], types.PageRequest, types.PaginatedModels>('GET /models page'),
    get: row<[id: string], NoRequest, types.Model>('GET /models/{id}'),
    delete: row<[id: string], NoRequest, void>('DELETE /models/{id}'),
  },
  /** Observations, including those of traces and sessions. */
  observations: {
    getMany: row<[], types.GetObservationsRequest, types.ObservationsV2Response>('GET /v2/observations cursor'),
  },
  /** The OTLP trace endpoint, for exporters. */
  opentelemetry: {
    exportTraces: row<[], types.ExportTracesRequest, types.OtelTraceResponse>('POST /otel/v1/traces body'),
  },
  /** Members and projects of an organization. Requires organization keys. */
  organizations: {
    getOrganizationMemberships: row<[], NoRequest, types.MembershipsResponse>('GET /organizations/memberships'),
    updateOrganizationMembership: row<[], types.MembershipRequest, types.MembershipResponse>(
      'PUT /organizations/memberships body',
    ),
    deleteOrganizationMembership: row<[], types.DeleteMembershipRequest, types.MembershipDeletionResponse>(
      'DELETE /organizations/memberships body',
    ),
    getProjectMemberships: row<[projectId: string], NoRequest, types.MembershipsResponse>(
      'GET /projects/{projectId}/memberships',
    ),
    updateProjectMembership: row<[projectId: string], types.MembershipRequest, types.MembershipResponse>(
      'PUT /projects/{projectId}/memberships body',
    ),
    deleteProjectMembership: row<[projectId: string], types.DeleteMembershipRequest, types.MembershipDeletionResponse>(
      'DELETE /projects/{projectId}/memberships body',
    ),
    getOrganizationProjects: row<[], NoRequest, types.OrganizationProjectsResponse>('GET /organizations/projects'),
    getOrganizationApiKeys: row<[], NoRequest, types.OrganizationApiKeysResponse>('GET /organizations/apiKeys'),
  },
  /** The project of the keys; with organization keys, all projects. */
  projects: {
    /** Returns the project that the keys belong to. */
    get: row<[], NoRequest, types.Projects>('GET /projects'),
    create: row<[], types.CreateProjectRequest, types.Project>('POST /projects body'),
    update: row<[projectId: string], types.UpdateProjectRequest, types.Project>('PUT /projects/{projectId} body'),
    delete: row<[projectId: string], NoRequest, types.ProjectDeletionResponse>('DELETE /projects/{projectId}'),
    getApiKeys: row<[projectId: string], NoRequest, types.ApiKeyList>('GET /projects/{projectId}/apiKeys'),
    createApiKey: row<[projectId: string], types.CreateApiKeyRequest, types.ApiKeyResponse>(
      'POST /projects/{projectId}/apiKeys body',
    ),
    deleteApiKey: row<[projectId: string, apiKeyId: string], NoRequest, types.ApiKeyDeletionResponse>(
      'DELETE /projects/{projectId}/apiKeys/{apiKeyId}',
    ),
  },
  /** Labels of prompt versions. */
  promptVersion: {
    /** Moves labels to a version from the other versions. */
    update: row<[name: string, version: number], types.UpdatePromptVersionRequest, types.Prompt>(
      'PATCH /v2/prompts/{name}/versions/{version} body',
    ),
  },
  /** Prompts. `client.prompt` adds a cache. */
  prompts: {
    /** Default: the version labelled `production`. */
    get: row<[promptName: string], types.GetPromptRequest, types.Prompt>('GET /v2/prompts/{promptName} query'),
    list: row<[], types.ListPromptsRequest, types.PromptMetaListResponse>('GET /v2/prompts page'),
    /** Creates a version of a prompt. */
    create: row<[], types.CreatePromptRequest, types.Prompt>('POST /v2/prompts body name'),
    /** Deletes the versions with a label, one version, or all of them. */
    delete: row<[promptName: string], types.DeletePromptRequest, void>('DELETE /v2/prompts/{promptName} query'),
  },
  /** Users, for identity providers. Requires organization keys. */
  scim: {
    getServiceProviderConfig: row<[], NoRequest, types.ServiceProviderConfig>('GET /scim/ServiceProviderConfig'),
    getResourceTypes: row<[], NoRequest, types.ResourceTypesResponse>('GET /scim/ResourceTypes'),
    getSchemas: row<[], NoRequest, types.SchemasResponse>('GET /scim/Schemas'),
    listUsers: row<[], types.ListScimUsersRequest, types.ScimUsersListResponse>('GET /scim/Users query'),
    createUser: row<[], types.CreateScimUserRequest, types.ScimUser>('POST /scim/Users body'),
    getUser: row<[userId: string], NoRequest, types.ScimUser>('GET /scim/Users/{userId}'),
    deleteUser: row<[userId: string], NoRequest, types.EmptyResponse>('DELETE /scim/Users/{userId}'),
  },
  /** Allowed types and values of scores. */
  scoreConfigs: {
    create: row<[], types.CreateScoreConfigRequest, types.ScoreConfig>('POST /score-configs body'),
    get: row<[], types.PageRequest, types.ScoreConfigs>('GET /score-configs page'),
    getById: row<[configId: string], NoRequest, types.ScoreConfig>('GET /score-configs/{configId}'),
    update: row<[configId: string], types.UpdateScoreConfigRequest, types.ScoreConfig>(
      'PATCH /score-configs/{configId} body',
    ),
  },
  /** Scores. `client.score` adds a queue. */
  scores: {
    /** Creates at most 100 scores. Returns {@link CreateScoreBatchResults} if some were rejected. */
    create: row<
      [],
      readonly types.CreateScoreRequest[],
      types.CreateScoreBatchResponse | types.CreateScoreBatchResults
    >('POST /scores list'),
    /** Lists scores (API v3). */
    getMany: row<[], types.GetScoresV3Request, types.GetScoresV3Response>('GET /v3/scores cursor'),
    delete: row<[scoreId: string], NoRequest, void>('DELETE /scores/{scoreId}'),
  },
  /** Deletion of traces. `observations` reads them. */
  trace: {
    /** Deletes a trace with its observations and scores. */
    delete: row<[traceId: string], NoRequest, types.DeleteTraceResponse>('DELETE /traces/{traceId}'),
    /** Deletes traces with their observations and scores. Up to 1,000 in one call are safe. */
    deleteMultiple: row<[], types.DeleteTracesRequest, types.DeleteTraceResponse>('DELETE /traces body'),
  },
  /** Endpoints that may change in a minor version. */
  unstable: {
    dashboardWidgets: {
      list: row<[], types.PageRequest, types.DashboardWidgetList>('GET /unstable/dashboard-widgets page'),
      create: row<[], types.CreateDashboardWidgetRequest, types.DashboardWidget>(
        'POST /unstable/dashboard-widgets body',
      ),
      get: row<[widgetId: string], NoRequest, types.DashboardWidget>('GET /unstable/dashboard-widgets/{widgetId}'),
      update: row<[widgetId: string], types.UpdateDashboardWidgetRequest, types.DashboardWidget>(
        'PATCH /unstable/dashboard-widgets/{widgetId} body',
      ),
      delete: row<[widgetId: string], NoRequest, types.DeleteDashboardWidgetResponse>(
        'DELETE /unstable/dashboard-widgets/{widgetId}',
      ),
    },
    dashboards: {
      list: row<[], types.PageRequest, types.DashboardList>('GET /unstable/dashboards page'),
      create: row<[], types.CreateDashboardRequest, types.Dashboard>('POST /unstable/dashboards body'),
      get: row<[dashboardId: string], NoRequest, types.Dashboard>('GET /unstable/dashboards/{dashboardId}'),
      update: row<[dashboardId: string], types.UpdateDashboardRequest, types.Dashboard>(
        'PATCH /unstable/dashboards/{dashboardId} body',
      ),
      delete: row<[dashboardId: string], NoRequest, types.DeleteDashboardResponse>(
        'DELETE /unstable/dashboards/{dashboardId}',
      ),
      addPlacement: row<[dashboardId: string], types.CreateDashboardPlacementRequest, types.DashboardPlacement>(
        'POST /unstable/dashboards/{dashboardId}/placements body',
      ),
      updatePlacement: row<
        [dashboardId: string, placementId: string],
        types.UpdateDashboardPlacementRequest,
        types.DashboardPlacement
      >('PATCH /unstable/dashboards/{dashboardId}/placements/{placementId} body'),
      deletePlacement: row<
        [dashboardId: string, placementId: string],
        NoRequest,
        types.DeleteDashboardPlacementResponse
      >('DELETE /unstable/dashboards/{dashboardId}/placements/{placementId}'),
    },
    skills: {
      list: row<[], types.ListSkillsRequest, types.SkillsPage>('GET /unstable/skills page'),
      createVersion: row<[], types.CreateSkillVersionRequest, types.SkillVersion>('POST /unstable/skills body'),
      get: row<[skillName: string], types.GetSkillRequest, types.SkillVersion>(
        'GET /unstable/skills/{skillName} query',
      ),
      update: row<[skillName: string], types.UpdateSkillRequest, types.SkillVersion>(
        'PATCH /unstable/skills/{skillName} body',
      ),
      getFileContent: row<[fileId: string], NoRequest, types.SkillFileContent>(
        'GET /unstable/skills/files/{fileId}/content',
      ),
      setLabels: row<[skillName: string, skillVersion: number], types.SetSkillLabelsRequest, types.SkillVersion>(
        'PATCH /unstable/skills/{skillName}/versions/{skillVersion} body',
      ),
      deleteVersion: row<[skillName: string, skillVersion: number], NoRequest, types.DeleteSkillVersionResponse>(
        'DELETE /unstable/skills/{skillName}/versions/{skillVersion}',
      ),
    },
  },
}
