import type { MessageResponse, Moment, PageOf, PageRequest, ValueOf } from './pages.ts'

/** An item of a dataset: input, expected output, and its source. */
export interface DatasetItem {
  id: string
  status: DatasetStatus
  input: unknown
  expectedOutput: unknown
  metadata: unknown
  sourceTraceId: string | null
  sourceObservationId: string | null
  datasetId: string
  datasetName: string
  createdAt: string
  updatedAt: string
  mediaReferences: DatasetItemMediaReference[]
}

/** The position of media in an item, and the URL of their bytes. */
export interface DatasetItemMediaReference {
  field: DatasetItemMediaReferenceField
  referenceString: string
  jsonPath: string
  media: DatasetItemMediaReferenceMedia
}

export const DatasetItemMediaReferenceField = {
  Input: 'input',
  ExpectedOutput: 'expectedOutput',
  Metadata: 'metadata',
} as const
export type DatasetItemMediaReferenceField = ValueOf<typeof DatasetItemMediaReferenceField>

export interface DatasetItemMediaReferenceMedia {
  mediaId: string
  contentType: string
  contentLength: number
  url: string
  urlExpiry: string
}

export const DatasetStatus = { Active: 'ACTIVE', Archived: 'ARCHIVED' } as const
export type DatasetStatus = ValueOf<typeof DatasetStatus>

export type DeleteDatasetItemResponse = MessageResponse

/** With an `id`, an existing item with this id is replaced, so retries create no duplicates. */
export interface CreateDatasetItemRequest {
  datasetName: string
  input?: unknown
  expectedOutput?: unknown
  metadata?: unknown
  sourceTraceId?: string | undefined
  sourceObservationId?: string | undefined
  id?: string | undefined
  status?: DatasetStatus | undefined
}

export type PaginatedDatasetItems = PageOf<DatasetItem>

export interface ListDatasetItemsRequest extends PageRequest {
  datasetName?: string | undefined
  sourceTraceId?: string | undefined
  sourceObservationId?: string | undefined
  /** The items as they were at this time. */
  version?: Moment | undefined
}
