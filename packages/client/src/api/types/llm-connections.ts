import type { MetaResponse } from './pages.ts'

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

export interface PaginatedLlmConnections {
  data: LlmConnection[]
  meta: MetaResponse
}

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

export interface DeleteLlmConnectionResponse {
  message: string
}

export const LlmAdapter = {
  Anthropic: 'anthropic',
  Openai: 'openai',
  Azure: 'azure',
  Bedrock: 'bedrock',
  GoogleVertexAi: 'google-vertex-ai',
  GoogleAiStudio: 'google-ai-studio',
} as const
export type LlmAdapter = (typeof LlmAdapter)[keyof typeof LlmAdapter]
