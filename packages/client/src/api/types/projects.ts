import type { ChangesOf } from './pages.ts'

export interface Projects {
  data: Project[]
}

export interface Organization {
  id: string
  name: string
}

/** A project, to which keys belong. */
export interface Project {
  id: string
  name: string
  organization: Organization
  metadata: Record<string, unknown>
  retentionDays?: number
}

export interface ProjectDeletionResponse {
  success: boolean
  message: string
}

export interface ApiKeyList {
  apiKeys: ApiKeySummary[]
}

/** A pair of keys. Only part of the secret is returned. */
export interface ApiKeySummary {
  id: string
  createdAt: string
  expiresAt?: string
  lastUsedAt?: string
  note?: string
  publicKey: string
  displaySecretKey: string
}

/** A new pair of keys. Only this response contains the secret. */
export interface ApiKeyResponse {
  id: string
  createdAt: string
  publicKey: string
  secretKey: string
  displaySecretKey: string
  note?: string
}

export interface ApiKeyDeletionResponse {
  success: boolean
}

export interface CreateProjectRequest {
  name: string
  metadata?: Readonly<Record<string, unknown>> | undefined
  /** Days that data is kept. */
  retention: number
}

export type UpdateProjectRequest = Pick<CreateProjectRequest, 'name'> & ChangesOf<CreateProjectRequest>

export interface CreateApiKeyRequest {
  note?: string | undefined
  publicKey?: string | undefined
  secretKey?: string | undefined
}
