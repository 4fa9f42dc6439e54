import type { ObservationLevel } from './observations.ts'
import type { CursorMeta, CursorPageOf, CursorRequest, Moment } from './pages.ts'
import type { ScoreV3 } from './scores.ts'

export type ExperimentsResponse = CursorPageOf<Experiment>

export type ExperimentsResponseMeta = CursorMeta

/** An experiment, derived from the spans of its items. */
export interface Experiment {
  id: string
  name: string
  description: string | null
  startTime: string
  endTime: string
  itemCount: number
  datasetId: string | null
  metadata?: Record<string, unknown> | null
  scores?: ScoreV3[]
}

export type ExperimentItemsResponse = CursorPageOf<ExperimentItem>

/** An item of an experiment: its root observation and trace. */
export interface ExperimentItem {
  id: string
  traceId: string
  startTime: string
  endTime: string | null
  level: ObservationLevel
  environment: string
  experimentId: string
  experimentName: string
  experimentItemId: string
  experimentDatasetId?: string | null
  experimentItemVersion?: string | null
  input?: unknown
  output?: unknown
  expectedOutput?: unknown
  metadata?: Record<string, unknown> | null
  experimentItemMetadata?: Record<string, unknown> | null
  experimentMetadata?: Record<string, unknown> | null
  experimentDescription?: string | null
  scores?: ScoreV3[]
}

interface ExperimentsRequest extends CursorRequest {
  /** Field groups joined by commas. */
  fields?: string | undefined
  /** Maximum number of scores of each entry. */
  scoreLimit?: number | undefined
  /** Only entries that started at this time or later. */
  fromStartTime: Moment
  /** Only entries that started before. */
  toStartTime?: Moment | undefined
  datasetId?: string | undefined
  /** A JSON array of `{ type, column, operator, value, key? }`. */
  filter?: string | undefined
}

export interface ListExperimentsRequest extends ExperimentsRequest {
  id?: string | undefined
  name?: string | undefined
}

export interface ListExperimentItemsRequest extends ExperimentsRequest {
  experimentId?: string | undefined
  experimentName?: string | undefined
  experimentItemId?: string | undefined
}
