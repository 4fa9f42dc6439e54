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
  /** Days that data is kept: 0 for ever, else 3 or more. */
  retention: number
}

export interface UpdateProjectRequest {
  name: string
  metadata?: Readonly<Record<string, unknown>> | undefined
  /** Days that data is kept: 0 for ever, else 3 or more. Left out: as it is. */
  retention?: number | undefined
}

export interface CreateApiKeyRequest {
  note?: string | undefined
  /** Both keys or neither: the service makes a pair of its own. */
  publicKey?: string | undefined
  secretKey?: string | undefined
}
