import type { MetaResponse } from './pages.ts'

export interface Dataset {
  id: string
  name: string
  description: string | null
  metadata: unknown
  inputSchema: unknown | null
  expectedOutputSchema: unknown | null
  projectId: string
  createdAt: string
  updatedAt: string
}

export interface PaginatedDatasets {
  data: Dataset[]
  meta: MetaResponse
}

export interface CreateDatasetRequest {
  name: string
  description?: string | undefined
  metadata?: unknown
  inputSchema?: unknown
  expectedOutputSchema?: unknown
}
