// What @svc/client exported in version 5, as far as the apps beside it go.
import type { CreateScoreRequest, DatasetItem, RequestOptions, SvcAPIClient, Trace } from '@svc/core'

export * from '@svc/core'

export interface SvcClientParams {
  publicKey?: string
  secretKey?: string
  baseUrl?: string
}
export type LinkDatasetItemFunction = (observation: object, runName: string) => Promise<{ id: string }>
export type FetchedItem = DatasetItem & { link: LinkDatasetItemFunction }
export interface FetchedDataset {
  id: string
  name: string
  items: FetchedItem[]
  runExperiment(params: { name: string; task: (item: any) => Promise<any>; evaluators?: Evaluator[] }): Promise<any>
}
export interface Evaluation {
  name: string
  value: number | string
}
export type Evaluator = (params: {
  input: any
  output: any
  expectedOutput?: any
  metadata?: any
}) => Promise<Evaluation> | Evaluation
export class TextPromptClient {
  readonly name: string
  readonly version: number
  readonly prompt: string
  compile(variables?: Record<string, string>): string
}
export class ChatPromptClient {
  readonly name: string
  readonly version: number
  compile(variables?: Record<string, string>, placeholders?: object): any[]
}

interface GetPrompt {
  (
    name: string,
    options?: { type?: 'text'; label?: string; version?: number; cacheTtlSeconds?: number; fallback?: string },
  ): Promise<TextPromptClient>
  (
    name: string,
    options: { type: 'chat'; label?: string; version?: number; cacheTtlSeconds?: number; fallback?: any },
  ): Promise<ChatPromptClient>
}
type CreatePrompt = (body: {
  name: string
  prompt: string
  labels?: string[]
  type?: 'text'
}) => Promise<TextPromptClient>
type UpdatePrompt = (body: { name: string; version: number; newLabels: string[] }) => Promise<any>

export class SvcClient {
  constructor(params?: SvcClientParams)
  readonly api: SvcAPIClient
  readonly prompt: { get: GetPrompt; create: CreatePrompt; update: UpdatePrompt }
  readonly dataset: {
    get(name: string, options?: { fetchItemsPageSize?: number }): Promise<FetchedDataset>
    createItem(body: { datasetName: string; input?: any; expectedOutput?: any; id?: string }): Promise<DatasetItem>
  }
  readonly media: { resolveReferences<T>(params: { obj: T; resolveWith: 'base64DataUri' }): Promise<T> }
  readonly score: { create(score: CreateScoreRequest): void; flush(): Promise<void>; shutdown(): Promise<void> }
  getPrompt: GetPrompt
  createPrompt: CreatePrompt
  updatePrompt: UpdatePrompt
  getDataset: SvcClient['dataset']['get']
  createDataset: SvcAPIClient['datasets']['create']
  createDatasetItem: SvcClient['dataset']['createItem']
  getDatasetItem: SvcAPIClient['datasetItems']['get']
  resolveMediaReferences: SvcClient['media']['resolveReferences']
  fetchMedia: SvcAPIClient['media']['get']
  fetchTrace(traceId: string, options?: RequestOptions): Promise<Trace>
  fetchTraces(request?: { userId?: string; limit?: number }): Promise<{ data: Trace[] }>
  fetchObservation(id: string): Promise<any>
  fetchObservations(request?: { type?: string }): Promise<{ data: any[] }>
  fetchSessions(request?: object): Promise<{ data: any[] }>
  getDatasetRun(request: { datasetName: string; runName: string }): Promise<any>
  getDatasetRuns(datasetName: string): Promise<any>
}
