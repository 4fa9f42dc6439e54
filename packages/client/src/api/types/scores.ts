import type { ScoreDataType } from '@svc/core/score'
import type { CursorRequest, MessageResponse, Moment, ValueOf } from './pages.ts'

export const ScoreSource = { Annotation: 'ANNOTATION', Api: 'API', Eval: 'EVAL' } as const
export type ScoreSource = ValueOf<typeof ScoreSource>

export interface ScoreSubjectTraceV3 {
  id: string
}

export interface ScoreSubjectObservationV3 {
  id: string
  traceId?: string
}

export type ScoreSubjectSessionV3 = ScoreSubjectTraceV3
export type ScoreSubjectExperimentV3 = ScoreSubjectTraceV3

/** The object that was scored. */
export type ScoreSubjectV3 =
  | (ScoreSubjectTraceV3 & { kind: 'trace' })
  | (ScoreSubjectObservationV3 & { kind: 'observation' })
  | (ScoreSubjectSessionV3 & { kind: 'session' })
  | (ScoreSubjectExperimentV3 & { kind: 'experiment' })

/** Fields of all scores. Optional ones depend on `fields` of the request. */
export interface BaseScoreV3 {
  id: string
  projectId: string
  name: string
  source: ScoreSource
  timestamp: string
  environment: string
  createdAt: string
  updatedAt: string
  comment?: string | null
  configId?: string | null
  metadata?: Record<string, unknown>
  authorUserId?: string | null
  queueId?: string | null
  subject?: ScoreSubjectV3
}

export interface NumericScoreV3 extends BaseScoreV3 {
  value: number
}

export interface BooleanScoreV3 extends BaseScoreV3 {
  value: boolean
}

export interface CategoricalScoreV3 extends BaseScoreV3 {
  value: string
}

export type TextScoreV3 = CategoricalScoreV3
export type CorrectionScoreV3 = CategoricalScoreV3

/** A score, whose `dataType` determines the type of its value. */
export type ScoreV3 =
  | (NumericScoreV3 & { dataType: 'NUMERIC' })
  | (BooleanScoreV3 & { dataType: 'BOOLEAN' })
  | (CategoricalScoreV3 & { dataType: 'CATEGORICAL' })
  | (TextScoreV3 & { dataType: 'TEXT' })
  | (CorrectionScoreV3 & { dataType: 'CORRECTION' })

export interface GetScoresV3Meta {
  limit: number
  cursor?: string | null
}

/** A page of scores. */
export interface GetScoresV3Response {
  data: ScoreV3[]
  meta: GetScoresV3Meta
}

/** A score to create: of a trace, an observation in it, a session, or a dataset run. */
export interface CreateScoreRequest {
  id?: string | undefined
  traceId?: string | undefined
  sessionId?: string | undefined
  observationId?: string | undefined
  datasetRunId?: string | undefined
  name: string
  value: number | string
  comment?: string | undefined
  metadata?: Readonly<Record<string, unknown>> | undefined
  environment?: string | undefined
  queueId?: string | undefined
  dataType?: ScoreDataType | undefined
  configId?: string | undefined
  source?: CreateScoreSource | undefined
  /** Time of the score. Default: when it arrives. */
  timestamp?: Moment | undefined
}

export const CreateScoreSource = { Api: 'API', Annotation: 'ANNOTATION' } as const
export type CreateScoreSource = ValueOf<typeof CreateScoreSource>

/** All scores of the batch were accepted. */
export type CreateScoreBatchResponse = MessageResponse

/** Response to a request with a single score, as web pages send it. */
export interface CreateScoreResponse {
  id: string
}

/** Some scores of the batch were rejected. */
export interface CreateScoreBatchResults {
  accepted: number
  rejected: number
  errors: CreateScoreBatchError[]
}

export interface CreateScoreBatchError {
  /** `<name>: <reason>` */
  message: string
}

export interface GetScoresV3Request extends CursorRequest {
  /** Field groups joined by commas: `details`, `subject`, `annotation`. */
  fields?: string | undefined
  id?: string | undefined
  name?: string | undefined
  source?: ScoreSource | undefined
  dataType?: ScoreDataType | undefined
  environment?: string | undefined
  configId?: string | undefined
  queueId?: string | undefined
  authorUserId?: string | undefined
  value?: string | undefined
  valueMin?: number | undefined
  valueMax?: number | undefined
  traceId?: string | undefined
  sessionId?: string | undefined
  observationId?: string | undefined
  experimentId?: string | undefined
  fromTimestamp?: Moment | undefined
  toTimestamp?: Moment | undefined
}
