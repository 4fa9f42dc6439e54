/** How a value is to be read. Without one the service decides by the value: a number or a text. */
export const ScoreDataType = {
  Numeric: 'NUMERIC',
  Boolean: 'BOOLEAN',
  Categorical: 'CATEGORICAL',
  Text: 'TEXT',
  Correction: 'CORRECTION',
} as const
export type ScoreDataType = (typeof ScoreDataType)[keyof typeof ScoreDataType]

/** A judgement about a trace, an observation, a session or a dataset run (CONTRACT: `ScoreBody`). */
export interface ScoreBody {
  /** Scores of the same id replace each other. Default: a random UUID. */
  readonly id?: string
  /** What was judged, for example `user-feedback`. Not empty. */
  readonly name: string
  /** A finite number (booleans are 0 and 1) or a text. */
  readonly value: number | string
  readonly traceId?: string
  readonly sessionId?: string
  /** The observation inside `traceId`. */
  readonly observationId?: string
  readonly datasetRunId?: string
  /** Why, in the words of whoever judged. */
  readonly comment?: string
  /** Any JSON. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Default: the environment of the client, else `default`. */
  readonly environment?: string
  readonly queueId?: string
  readonly dataType?: ScoreDataType
  /** A score configuration, which the value has to fit. */
  readonly configId?: string
}

/** What a score may belong to, one of them. */
const TARGETS = ['traceId', 'sessionId', 'datasetRunId'] as const

/** Why the service cannot take a score (contract 3.2); undefined where nothing is wrong. */
export function problemOfScore(score: Readonly<Record<string, unknown>>): string | undefined {
  const { name, value } = score
  if (typeof name !== 'string' || name === '') return `its name is ${shown(name)}, expected a text`
  if (typeof value !== 'string' && !Number.isFinite(value)) {
    return `its value is ${shown(value)}, expected a finite number or a text`
  }
  const targets = TARGETS.filter((key) => typeof score[key] === 'string' && score[key] !== '')
  if (targets.length !== 1) {
    return `it has ${targets.join(' and ') || 'no target'}, expected one of traceId, sessionId and datasetRunId`
  }
  return undefined
}

function shown(value: unknown): string {
  if (value === '') return 'empty'
  if (typeof value === 'number' || value === null || value === undefined) return String(value)
  return `of type ${typeof value}`
}
