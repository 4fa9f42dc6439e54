export interface Projects {
  data: Project[]
}

export interface Organization {
  id: string
  name: string
}

/** A project: what a pair of keys belongs to. */
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

/** A pair of keys. The secret is shown in part. */
export interface ApiKeySummary {
  id: string
  createdAt: string
  expiresAt?: string
  lastUsedAt?: string
  note?: string
  publicKey: string
  displaySecretKey: string
}

/** A new pair of keys. The secret is told this once. */
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

export interface UpdateProjectRequest {
  name: string
  metadata?: Readonly<Record<string, unknown>> | undefined
  /** Days that data is kept. */
  retention?: number | undefined
}

export interface CreateApiKeyRequest {
  note?: string | undefined
  publicKey?: string | undefined
  secretKey?: string | undefined
}
