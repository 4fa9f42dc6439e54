import type { MetaResponse } from './pages.ts'

/** A dataset without its items. */
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

/** Schemas are JSON Schemas that items have to fit. */
export interface CreateDatasetRequest {
  name: string
  description?: string | undefined
  metadata?: unknown
  inputSchema?: unknown
  expectedOutputSchema?: unknown
}
