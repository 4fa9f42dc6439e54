import { randomUUID } from 'node:crypto'
import type { ScoreDataType } from '@svc/core/score'
import * as v from 'valibot'
import { Checks, type Issue } from '../../http/checks.ts'
import { attemptFields, date, type FieldsOf, name, optional, record, text, word } from '../../http/fields.ts'
import { SCORE_DATA_TYPES, SCORE_SOURCES, type StoredScore } from '../../store/score.ts'
import { environmentNamed } from '../../trace/map/environment.ts'

const FINITE = 'expected a finite number or a text'

/** `CreateScoreRequest` (appendix A), as it is sent. */
const FIELDS = {
  id: optional(text),
  name,
  value: v.union([v.string(), v.pipe(v.number(), v.finite(FINITE))], FINITE),
  dataType: optional(word(SCORE_DATA_TYPES)),
  traceId: optional(name),
  observationId: optional(name),
  sessionId: optional(name),
  datasetRunId: optional(name),
  comment: optional(text),
  metadata: optional(record),
  environment: optional(text),
  source: optional(word(SCORE_SOURCES)),
  configId: optional(name),
  queueId: optional(name),
  timestamp: optional(date),
}

type Fields = FieldsOf<typeof FIELDS>

/**
 * A score as it is stored (contract 5.5), or what is wrong with it.
 *
 * @param now milliseconds since 1970: the time of a score that brought none.
 */
export function readScore(body: unknown, now: number): { score: StoredScore } | { issues: readonly Issue[] } {
  const checks = new Checks()
  const fields = attemptFields(body, FIELDS, checks)
  if (checks.issues.length > 0) return checks
  const dataType = fields.dataType ?? (typeof fields.value === 'number' ? 'NUMERIC' : 'CATEGORICAL')
  const wrong = [VALUES[dataType](fields.value), subjectIssue(fields), sourceIssue(fields, dataType)]
  const issues = wrong.filter((message) => message !== false).map((message) => ({ path: [], message }))
  return issues.length > 0 ? { issues } : { score: scoreOf(fields, dataType, now) }
}

function scoreOf({ value, environment, ...fields }: Fields, dataType: ScoreDataType, now: number): StoredScore {
  return {
    id: fields.id ?? randomUUID(),
    name: fields.name,
    number: typeof value === 'number' ? value : null,
    text: typeof value === 'string' ? value : null,
    dataType,
    traceId: fields.traceId ?? null,
    observationId: fields.observationId ?? null,
    sessionId: fields.sessionId ?? null,
    datasetRunId: fields.datasetRunId ?? null,
    comment: fields.comment ?? null,
    metadata: fields.metadata ?? null,
    environment: environmentNamed(environment ?? ''),
    source: fields.source ?? 'API',
    configId: fields.configId ?? null,
    queueId: fields.queueId ?? null,
    timestamp: fields.timestamp ?? now,
    createdAt: now,
    updatedAt: now,
  }
}

type Wrong = string | false

const MAX_TEXT = 500

/** Says what is wrong with a value of a data type. */
const VALUES: Readonly<Record<ScoreDataType, (value: number | string) => Wrong>> = {
  NUMERIC: (value) => typeof value !== 'number' && 'a NUMERIC score needs a number',
  BOOLEAN: (value) => value !== 0 && value !== 1 && 'a BOOLEAN score needs 0 or 1',
  CATEGORICAL: (value) => typeof value !== 'string' && 'a CATEGORICAL score needs a text',
  CORRECTION: (value) => typeof value !== 'string' && 'a CORRECTION needs a text',
  TEXT: (value) =>
    (typeof value !== 'string' || value.length < 1 || value.length > MAX_TEXT) &&
    `a TEXT score needs a text of 1 to ${MAX_TEXT} characters`,
}

// A score of nothing would be found nowhere.
function subjectIssue({ traceId, observationId, sessionId, datasetRunId }: Fields): Wrong {
  const subjects = [traceId, sessionId, datasetRunId].filter((id) => id !== undefined)
  if (subjects.length !== 1) {
    return 'exactly one of traceId (with or without observationId), sessionId and datasetRunId is needed'
  }
  return observationId !== undefined && traceId === undefined && 'an observationId needs its traceId'
}

function sourceIssue({ source, configId }: Fields, dataType: ScoreDataType): Wrong {
  if (source === 'EVAL') return 'the source EVAL is for evaluators of the service, send API or ANNOTATION'
  if (dataType === 'CORRECTION') return configId !== undefined && 'a CORRECTION has no configId'
  return source === 'ANNOTATION' && configId === undefined && 'the source ANNOTATION needs a configId'
}
