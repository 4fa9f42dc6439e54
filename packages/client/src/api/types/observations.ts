import type { CursorMeta, CursorPageOf, CursorRequest, Moment, ValueOf } from './pages.ts'

/** An observation. Its fields depend on `fields` of the request; input and output are strings, as they were sent. */
export interface ObservationV2 {
  id: string
  traceId: string | null
  startTime: string
  endTime: string | null
  projectId: string
  parentObservationId: string | null
  type: string
  isRootObservation?: boolean
  name?: string | null
  level?: ObservationLevel
  statusMessage?: string | null
  version?: string | null
  environment?: string | null
  bookmarked?: boolean
  public?: boolean
  userId?: string | null
  sessionId?: string | null
  completionStartTime?: string | null
  createdAt?: string
  updatedAt?: string
  input?: unknown
  output?: unknown
  metadata?: unknown
  providedModelName?: string | null
  internalModelId?: string | null
  modelParameters?: unknown
  usageDetails?: Record<string, number>
  costDetails?: Record<string, number>
  totalCost?: number | null
  usagePricingTierName?: string | null
  promptId?: string | null
  promptName?: string | null
  promptVersion?: number | null
  latency?: number | null
  timeToFirstToken?: number | null
  modelId: string | null
  inputPrice: string | null
  outputPrice: string | null
  totalPrice: string | null
  traceName?: string | null
  tags?: string[] | null
  release?: string | null
}

export const ObservationLevel = { Debug: 'DEBUG', Default: 'DEFAULT', Warning: 'WARNING', Error: 'ERROR' } as const
export type ObservationLevel = ValueOf<typeof ObservationLevel>

/** Rows with the requested dimensions and metrics. */
export interface MetricsV2Response {
  data: Record<string, unknown>[]
}

/** A page of observations. */
export type ObservationsV2Response = CursorPageOf<ObservationV2>

export type ObservationsV2Meta = CursorMeta

export interface GetMetricsRequest {
  /** A JSON object: view, dimensions, metrics, filters, times. */
  query: string
}

export interface GetObservationsRequest extends CursorRequest {
  /**
   * Field groups joined by commas: `core` (always), `basic`, `time`, `io`, `metadata`, `model`, `usage`, `prompt`, `metrics`,
   * `trace_context`. Default `core,basic`.
   */
  fields?: string | undefined
  expandMetadata?: string | undefined
  /** Parse input and output if they are JSON. Default: strings, unchanged. */
  parseIoAsJson?: boolean | undefined
  name?: string | undefined
  userId?: string | undefined
  sessionId?: string | undefined
  type?: string | undefined
  traceId?: string | undefined
  level?: ObservationLevel | undefined
  parentObservationId?: string | undefined
  isRootObservation?: boolean | undefined
  environment?: string | readonly string[] | undefined
  fromStartTime?: Moment | undefined
  toStartTime?: Moment | undefined
  version?: string | undefined
  /** A JSON array of `{ type, column, operator, value, key? }`; takes precedence over the single filters. */
  filter?: string | undefined
}
