import type { StoredScore } from '../../store/score.ts'
import { PROJECT } from '../about.ts'
import { isoDate } from '../known.ts'

type Shape = (score: StoredScore) => Record<string, unknown>

/** The field groups of `ScoreV3` beside the fields that are always there (contract 3.7 and appendix A). */
export const SCORE_GROUPS = {
  details: ({ comment, configId, metadata }) => ({ comment, configId, metadata: metadata ?? {} }),
  subject: (score) => ({ subject: subjectOf(score) }),
  annotation: ({ queueId }) => ({ authorUserId: null, queueId }),
} satisfies Record<string, Shape>

export type ScoreGroup = keyof typeof SCORE_GROUPS

/** A score as the API shows it: the fields that are always there, and the requested field groups. */
export function scoreShape(score: StoredScore, groups: readonly ScoreGroup[]): Record<string, unknown> {
  const { id, name, dataType, source, timestamp, environment, createdAt, updatedAt } = score
  return {
    id,
    projectId: PROJECT.id,
    name,
    value: shownValue(score),
    dataType,
    source,
    timestamp: isoDate(timestamp),
    environment,
    createdAt: isoDate(createdAt),
    updatedAt: isoDate(updatedAt),
    ...Object.assign({}, ...groups.map((group) => SCORE_GROUPS[group](score))),
  }
}

function shownValue({ dataType, number, text }: StoredScore): number | boolean | string {
  return dataType === 'BOOLEAN' ? number === 1 : (number ?? text ?? '')
}

function subjectOf({ observationId, traceId, sessionId, datasetRunId }: StoredScore) {
  if (observationId !== null) return { kind: 'observation', id: observationId, traceId }
  if (traceId !== null) return { kind: 'trace', id: traceId }
  return sessionId === null ? { kind: 'experiment', id: datasetRunId } : { kind: 'session', id: sessionId }
}
