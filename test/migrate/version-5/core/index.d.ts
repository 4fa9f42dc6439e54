// What @svc/core exported in version 5, as far as the apps beside it go.
export enum LogLevel {
  DEBUG,
  INFO,
  WARN,
  ERROR,
}
export interface LoggerConfig {
  level?: LogLevel
  prefix?: string
}
export class Logger {
  info(text: string): void
  warn(text: string): void
  error(text: string): void
}
export function configureGlobalLogger(config: LoggerConfig): void
export function getGlobalLogger(): Logger
export function createLogger(config?: LoggerConfig): Logger
export function resetGlobalLogger(): void

export interface RequestOptions {
  timeoutInSeconds?: number
  maxRetries?: number
  abortSignal?: AbortSignal
  headers?: Record<string, string>
}

export const DatasetStatus: { readonly Active: 'ACTIVE'; readonly Archived: 'ARCHIVED' }
export type DatasetStatus = 'ACTIVE' | 'ARCHIVED'
export class SvcAPIError extends globalThis.Error {
  readonly statusCode?: number
  readonly body?: unknown
}
export class NotFoundError extends SvcAPIError {}
declare class BadRequest extends SvcAPIError {}

export { BadRequest as Error }

export interface Trace {
  id: string
  name: string | null
  userId?: string
}
export interface Session {
  id: string
}
export interface TraceBody {
  id?: string
  name?: string
}
export interface IngestionEvent {
  id: string
  type: string
}
export interface DatasetRun {
  id: string
  name: string
}
export interface ScoreV1 {
  id: string
}
export interface Dataset {
  id: string
  name: string
}
export interface DatasetItem {
  id: string
  input?: any
  expectedOutput?: any
  metadata?: any
}
export interface CreateScoreRequest {
  id?: string
  name: string
  value: number | string
  traceId?: string
  comment?: string
}
export interface CreateScoreResponse {
  id: string
}
export interface GetScoresRequest {
  page?: number
  limit?: number
  userId?: string
  name?: string
  traceId?: string
  scoreIds?: string
  environment?: string
}
export declare namespace legacy {
  export type CreateScoreRequest = import('./index.js').CreateScoreRequest
  export type CreateScoreResponse = import('./index.js').CreateScoreResponse
}
export type Prompt = Prompt.Chat | Prompt.Text
export declare namespace Prompt {
  interface Text {
    type: 'text'
    name: string
    version: number
    prompt: string
  }
  interface Chat {
    type: 'chat'
    name: string
    version: number
    prompt: { role: string; content: string }[]
  }
}

export interface SvcAPIClient {
  annotationQueues: {
    createQueue(request?: any, requestOptions?: RequestOptions): Promise<any>
    createQueueAssignment(queueId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
    createQueueItem(queueId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
    deleteQueueAssignment(queueId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
    deleteQueueItem(queueId: string, itemId: string, requestOptions?: RequestOptions): Promise<any>
    getQueue(queueId: string, requestOptions?: RequestOptions): Promise<any>
    getQueueItem(queueId: string, itemId: string, requestOptions?: RequestOptions): Promise<any>
    listQueueItems(queueId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
    listQueues(request?: any, requestOptions?: RequestOptions): Promise<any>
    updateQueueItem(queueId: string, itemId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  blobStorageIntegrations: {
    deleteBlobStorageIntegration(id: string, requestOptions?: RequestOptions): Promise<any>
    getBlobStorageIntegrationStatus(id: string, requestOptions?: RequestOptions): Promise<any>
    getBlobStorageIntegrations(requestOptions?: RequestOptions): Promise<any>
    upsertBlobStorageIntegration(request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  comments: {
    create(request?: any, requestOptions?: RequestOptions): Promise<any>
    get(request?: any, requestOptions?: RequestOptions): Promise<any>
    getById(commentId: string, requestOptions?: RequestOptions): Promise<any>
  }
  datasetItems: {
    create(request?: any, requestOptions?: RequestOptions): Promise<any>
    delete(id: string, requestOptions?: RequestOptions): Promise<any>
    get(id: string, requestOptions?: RequestOptions): Promise<DatasetItem>
    list(request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  datasetRunItems: {
    create(
      request: { runName: string; datasetItemId: string; traceId?: string },
      requestOptions?: RequestOptions,
    ): Promise<any>
    list(request: { datasetId: string; runName: string }, requestOptions?: RequestOptions): Promise<any>
  }
  datasets: {
    create(request?: any, requestOptions?: RequestOptions): Promise<any>
    deleteRun(datasetName: string, runName: string, requestOptions?: RequestOptions): Promise<any>
    get(datasetName: string, requestOptions?: RequestOptions): Promise<any>
    getRun(datasetName: string, runName: string, requestOptions?: RequestOptions): Promise<any>
    getRuns(datasetName: string, request?: object, requestOptions?: RequestOptions): Promise<any>
    list(request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  evaluationRules: {
    create(request?: any, requestOptions?: RequestOptions): Promise<any>
    delete(evaluationRuleId: string, requestOptions?: RequestOptions): Promise<any>
    get(evaluationRuleId: string, requestOptions?: RequestOptions): Promise<any>
    list(request?: any, requestOptions?: RequestOptions): Promise<any>
    update(evaluationRuleId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  evaluators: {
    create(request?: any, requestOptions?: RequestOptions): Promise<any>
    delete(evaluatorId: string, requestOptions?: RequestOptions): Promise<any>
    get(evaluatorId: string, requestOptions?: RequestOptions): Promise<any>
    list(request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  experiments: {
    list(request?: any, requestOptions?: RequestOptions): Promise<any>
    listItems(request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  feedback: {
    submit(request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  health: {
    health(requestOptions?: RequestOptions): Promise<any>
  }
  ingestion: {
    batch(request: { batch: object[] }, requestOptions?: RequestOptions): Promise<any>
  }
  legacy: {
    metricsV1: {
      metrics(request: { query: string }, requestOptions?: RequestOptions): Promise<any>
    }
    observationsV1: {
      get(observationId: string, requestOptions?: RequestOptions): Promise<any>
      getMany(request?: object, requestOptions?: RequestOptions): Promise<any>
    }
    scoreV1: {
      create(request: CreateScoreRequest, requestOptions?: RequestOptions): Promise<CreateScoreResponse>
      delete(scoreId: string, requestOptions?: RequestOptions): Promise<void>
    }
  }
  llmConnections: {
    delete(id: string, requestOptions?: RequestOptions): Promise<any>
    list(request?: any, requestOptions?: RequestOptions): Promise<any>
    upsert(request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  media: {
    get(mediaId: string, requestOptions?: RequestOptions): Promise<{ url: string; contentType: string }>
    getUploadUrl(request?: any, requestOptions?: RequestOptions): Promise<any>
    patch(mediaId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  metrics: {
    metrics(request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  models: {
    create(request?: any, requestOptions?: RequestOptions): Promise<any>
    delete(id: string, requestOptions?: RequestOptions): Promise<any>
    get(id: string, requestOptions?: RequestOptions): Promise<any>
    list(request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  observations: {
    getMany(request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  opentelemetry: {
    exportTraces(request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  organizations: {
    deleteOrganizationMembership(request?: any, requestOptions?: RequestOptions): Promise<any>
    deleteProjectMembership(projectId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
    getOrganizationApiKeys(requestOptions?: RequestOptions): Promise<any>
    getOrganizationMemberships(requestOptions?: RequestOptions): Promise<any>
    getOrganizationProjects(requestOptions?: RequestOptions): Promise<any>
    getProjectMemberships(projectId: string, requestOptions?: RequestOptions): Promise<any>
    updateOrganizationMembership(request?: any, requestOptions?: RequestOptions): Promise<any>
    updateProjectMembership(projectId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  projects: {
    create(request?: any, requestOptions?: RequestOptions): Promise<any>
    createApiKey(projectId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
    delete(projectId: string, requestOptions?: RequestOptions): Promise<any>
    deleteApiKey(projectId: string, apiKeyId: string, requestOptions?: RequestOptions): Promise<any>
    get(requestOptions?: RequestOptions): Promise<any>
    getApiKeys(projectId: string, requestOptions?: RequestOptions): Promise<any>
    update(projectId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  promptVersion: {
    update(name: string, version: string, request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  prompts: {
    create(request?: any, requestOptions?: RequestOptions): Promise<any>
    delete(promptName: string, request?: any, requestOptions?: RequestOptions): Promise<any>
    get(promptName: string, request?: any, requestOptions?: RequestOptions): Promise<any>
    list(request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  scim: {
    createUser(request?: any, requestOptions?: RequestOptions): Promise<any>
    deleteUser(userId: string, requestOptions?: RequestOptions): Promise<any>
    getResourceTypes(requestOptions?: RequestOptions): Promise<any>
    getSchemas(requestOptions?: RequestOptions): Promise<any>
    getServiceProviderConfig(requestOptions?: RequestOptions): Promise<any>
    getUser(userId: string, requestOptions?: RequestOptions): Promise<any>
    listUsers(request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  scoreConfigs: {
    create(request?: any, requestOptions?: RequestOptions): Promise<any>
    get(request?: any, requestOptions?: RequestOptions): Promise<any>
    getById(configId: string, requestOptions?: RequestOptions): Promise<any>
    update(configId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
  }
  scores: {
    create(request: CreateScoreRequest, requestOptions?: RequestOptions): Promise<CreateScoreResponse>
    delete(scoreId: string, requestOptions?: RequestOptions): Promise<any>
    getById(scoreId: string, requestOptions?: RequestOptions): Promise<any>
    getMany(request?: GetScoresRequest, requestOptions?: RequestOptions): Promise<any>
  }
  scoresV3: {
    getManyV3(
      request?: { traceId?: string; id?: string; fields?: string },
      requestOptions?: RequestOptions,
    ): Promise<any>
  }
  sessions: {
    get(sessionId: string, requestOptions?: RequestOptions): Promise<any>
    list(request?: object, requestOptions?: RequestOptions): Promise<any>
  }
  trace: {
    delete(traceId: string, requestOptions?: RequestOptions): Promise<any>
    deleteMultiple(request?: any, requestOptions?: RequestOptions): Promise<any>
    get(traceId: string, requestOptions?: RequestOptions): Promise<Trace>
    list(request?: object, requestOptions?: RequestOptions): Promise<{ data: Trace[] }>
  }
  unstable: {
    dashboardWidgets: {
      create(request?: any, requestOptions?: RequestOptions): Promise<any>
      delete(widgetId: string, requestOptions?: RequestOptions): Promise<any>
      get(widgetId: string, requestOptions?: RequestOptions): Promise<any>
      list(request?: any, requestOptions?: RequestOptions): Promise<any>
      update(widgetId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
    }
    dashboards: {
      addPlacement(dashboardId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
      create(request?: any, requestOptions?: RequestOptions): Promise<any>
      delete(dashboardId: string, requestOptions?: RequestOptions): Promise<any>
      deletePlacement(dashboardId: string, placementId: string, requestOptions?: RequestOptions): Promise<any>
      get(dashboardId: string, requestOptions?: RequestOptions): Promise<any>
      list(request?: any, requestOptions?: RequestOptions): Promise<any>
      update(dashboardId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
      updatePlacement(
        dashboardId: string,
        placementId: string,
        request?: any,
        requestOptions?: RequestOptions,
      ): Promise<any>
    }
    skills: {
      createVersion(request?: any, requestOptions?: RequestOptions): Promise<any>
      deleteVersion(skillName: string, skillVersion: number, requestOptions?: RequestOptions): Promise<any>
      get(skillName: string, request?: any, requestOptions?: RequestOptions): Promise<any>
      getFileContent(fileId: string, request?: any, requestOptions?: RequestOptions): Promise<any>
      list(request?: any, requestOptions?: RequestOptions): Promise<any>
      setLabels(skillName: string, skillVersion: string, request?: any, requestOptions?: RequestOptions): Promise<any>
      update(skillName: string, request?: any, requestOptions?: RequestOptions): Promise<any>
    }
  }
}
