import type { ScoreDataType } from '@svc/core/score'
import { jsonOf, orNull, real, text, whole, word } from './kinds.ts'
import { type RowOf, table } from './rows.ts'

/** The data types of scores (contract 5.5, appendix A). */
export const SCORE_DATA_TYPES = [
  'NUMERIC',
  'BOOLEAN',
  'CATEGORICAL',
  'CORRECTION',
  'TEXT',
] as const satisfies readonly ScoreDataType[]

export const SCORE_SOURCES = ['ANNOTATION', 'API', 'EVAL'] as const
export type ScoreSource = (typeof SCORE_SOURCES)[number]

/** A score as {@link LocalService.scores} gives it: what was sent, and what the service filled in. */
export interface Score {
  readonly id: string
  readonly name: string
  /** A number for NUMERIC and BOOLEAN (0 or 1), text for the others. */
  readonly value: number | string
  readonly dataType: ScoreDataType
  readonly traceId: string | null
  readonly observationId: string | null
  readonly sessionId: string | null
  /** The experiment, under the name it has when a score is sent. */
  readonly datasetRunId: string | null
  readonly comment: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly environment: string
  readonly source: ScoreSource
  readonly configId: string | null
  readonly queueId: string | null
  /** ISO 8601: the time that the client sent, else the time of arrival. */
  readonly timestamp: string
}

/** A score sent again under its id replaces the earlier one (contract 5.5). Times are milliseconds since 1970. */
export const SCORES = table({
  name: 'scores',
  columns: {
    id: text,
    name: text,
    number: orNull(real),
    text: orNull(text),
    dataType: word(SCORE_DATA_TYPES),
    traceId: orNull(text),
    observationId: orNull(text),
    sessionId: orNull(text),
    datasetRunId: orNull(text),
    comment: orNull(text),
    metadata: orNull(jsonOf<Readonly<Record<string, unknown>>>()),
    environment: text,
    source: word(SCORE_SOURCES),
    configId: orNull(text),
    queueId: orNull(text),
    timestamp: whole,
    createdAt: whole,
    updatedAt: whole,
  },
  key: ['id'],
  keeps: ['createdAt'],
  // The list of traces is filtered and sorted by the last one.
  indexes: ['(traceId)', '(datasetRunId)', '(timestamp, id)', '(name, traceId, number)'],
})

/** A score as it is stored. */
export type StoredScore = RowOf<typeof SCORES>

export function scoreFor({ number, text, timestamp, createdAt, updatedAt, ...rest }: StoredScore): Score {
  return { ...rest, value: number ?? text ?? '', timestamp: new Date(timestamp).toISOString() }
}
