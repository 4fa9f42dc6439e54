import type { MessageResponse, PageOf, ValueOf } from './pages.ts'

/** A connection to a model provider. Only part of its secret is returned. */
export interface LlmConnection {
  id: string
  provider: string
  adapter: string
  displaySecretKey: string
  baseURL?: string
  customModels: string[]
  withDefaultModels: boolean
  extraHeaderKeys: string[]
  config?: Record<string, unknown>
  createdAt: string
  updatedAt: string
}

export type PaginatedLlmConnections = PageOf<LlmConnection>

export interface UpsertLlmConnectionRequest {
  provider: string
  adapter: LlmAdapter
  secretKey: string
  baseURL?: string | undefined
  customModels?: readonly string[] | undefined
  withDefaultModels?: boolean | undefined
  extraHeaders?: Readonly<Record<string, string>> | undefined
  config?: Readonly<Record<string, unknown>> | undefined
}

export type DeleteLlmConnectionResponse = MessageResponse

export const LlmAdapter = {
  Anthropic: 'anthropic',
  Openai: 'openai',
  Azure: 'azure',
  Bedrock: 'bedrock',
  GoogleVertexAi: 'google-vertex-ai',
  GoogleAiStudio: 'google-ai-studio',
} as const
export type LlmAdapter = ValueOf<typeof LlmAdapter>
