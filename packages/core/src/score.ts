import { ownFields } from './own.ts'

/** The type of a score. By default the service derives it from the value: a number or a string. */
export const ScoreDataType = {
  Numeric: 'NUMERIC',
  Boolean: 'BOOLEAN',
  Categorical: 'CATEGORICAL',
  Text: 'TEXT',
  Correction: 'CORRECTION',
} as const
export type ScoreDataType = (typeof ScoreDataType)[keyof typeof ScoreDataType]

/** A score of a trace, an observation, a session or a dataset run (CONTRACT: `ScoreBody`). */
export interface ScoreBody {
  /** A score replaces an earlier one with the same id. Default: a random UUID. */
  readonly id?: string | undefined
  /** Name of what the score measures, for example `user-feedback`. Not empty. */
  readonly name: string
  /** A finite number (booleans are 0 and 1) or a string. */
  readonly value: number | string
  readonly traceId?: string | undefined
  readonly sessionId?: string | undefined
  /** The observation inside `traceId`. */
  readonly observationId?: string | undefined
  readonly datasetRunId?: string | undefined
  /** An explanation of the score. */
  readonly comment?: string | undefined
  /** Any JSON object. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Default: the environment of the client, or `default`. */
  readonly environment?: string | undefined
  readonly queueId?: string | undefined
  readonly dataType?: ScoreDataType | undefined
  /** Id of a score configuration, which the value has to match. */
  readonly configId?: string | undefined
}

/** A score belongs to exactly one of these. */
const TARGETS = ['traceId', 'sessionId', 'datasetRunId'] as const

/** Returns why the service would reject a score (contract 3.2); undefined for a valid one. */
export function problemOfScore(given: Readonly<Record<string, unknown>>): string | undefined {
  const score = ownFields(given)
  const { name, value } = score
  if (typeof name !== 'string' || name === '') return `its name is ${formatValue(name)}, expected a string`
  if (typeof value !== 'string' && !Number.isFinite(value)) {
    return `its value is ${formatValue(value)}, expected a finite number or a string`
  }
  const targets = TARGETS.filter((key) => typeof score[key] === 'string' && score[key] !== '')
  if (targets.length !== 1) {
    return `it has ${targets.join(' and ') || 'no target'}, expected one of traceId, sessionId and datasetRunId`
  }
  return undefined
}

function formatValue(value: unknown): string {
  if (value === '') return 'empty'
  if (typeof value === 'number' || value === null || value === undefined) return String(value)
  return `of type ${typeof value}`
}
