import type { PageOf } from './pages.ts'

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

export type PaginatedDatasets = PageOf<Dataset>

/** The schemas are JSON Schemas for the items. */
export interface CreateDatasetRequest {
  name: string
  description?: string | undefined
  metadata?: unknown
  inputSchema?: unknown
  expectedOutputSchema?: unknown
}
