import type { Moment } from './pages.ts'

export type BlobStorageIntegrationType = 'S3' | 'S3_COMPATIBLE' | 'AZURE_BLOB_STORAGE'

export type BlobStorageIntegrationFileType = 'JSON' | 'CSV' | 'JSONL' | 'PARQUET'

export type BlobStorageIntegrationFileTypeResponse = 'JSON' | 'CSV' | 'JSONL' | 'PARQUET'

export type BlobStorageExportMode = 'FULL_HISTORY' | 'FROM_TODAY' | 'FROM_CUSTOM_DATE'

export type BlobStorageExportFrequency = 'every_20_minutes' | 'hourly' | 'daily' | 'weekly'

export type BlobStorageExportSource =
  | 'LEGACY_TRACES_OBSERVATIONS'
  | 'OBSERVATIONS_V2'
  | 'LEGACY_TRACES_AND_ENRICHED_OBSERVATIONS'

export type BlobStorageExportFieldGroup =
  | 'core'
  | 'basic'
  | 'time'
  | 'io'
  | 'metadata'
  | 'model'
  | 'usage'
  | 'prompt'
  | 'metrics'
  | 'tools'
  | 'trace_context'

export interface CreateBlobStorageIntegrationRequest {
  projectId: string
  type: BlobStorageIntegrationType
  bucketName: string
  endpoint?: string | undefined
  region: string
  accessKeyId?: string | undefined
  secretAccessKey?: string | undefined
  prefix?: string | undefined
  exportFrequency: BlobStorageExportFrequency
  enabled: boolean
  forcePathStyle: boolean
  fileType: BlobStorageIntegrationFileType
  exportMode: BlobStorageExportMode
  exportStartDate?: Moment | undefined
  compressed?: boolean | undefined
  exportSource?: BlobStorageExportSource | undefined
  exportFieldGroups?: readonly BlobStorageExportFieldGroup[] | undefined
}

/** An export of data to a storage of your own. Its secret is never told. */
export interface BlobStorageIntegrationResponse {
  id: string
  projectId: string
  type: BlobStorageIntegrationType
  bucketName: string
  endpoint: string | null
  region: string
  accessKeyId: string | null
  prefix: string
  exportFrequency: BlobStorageExportFrequency
  enabled: boolean
  forcePathStyle: boolean
  fileType: BlobStorageIntegrationFileTypeResponse
  exportMode: BlobStorageExportMode
  exportStartDate: string | null
  compressed: boolean
  exportSource: BlobStorageExportSource
  exportFieldGroups: BlobStorageExportFieldGroup[] | null
  nextSyncAt: string | null
  lastSyncAt: string | null
  lastError: string | null
  lastErrorAt: string | null
  createdAt: string
  updatedAt: string
}

export interface BlobStorageIntegrationsResponse {
  data: BlobStorageIntegrationResponse[]
}

export type BlobStorageSyncStatus = 'idle' | 'running' | 'queued' | 'up_to_date' | 'disabled' | 'error'

/** How an export is doing. */
export interface BlobStorageIntegrationStatusResponse {
  id: string
  projectId: string
  syncStatus: BlobStorageSyncStatus
  enabled: boolean
  lastSyncAt: string | null
  nextSyncAt: string | null
  lastError: string | null
  lastErrorAt: string | null
}

export interface BlobStorageIntegrationDeletionResponse {
  message: string
}
