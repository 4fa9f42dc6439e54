import { either, flag, json, text, whole } from './kinds.ts'
import type { StoredObservation } from './observation.ts'
import type { StoredOtlp } from './received.ts'
import type { Table } from './rows.ts'

/** An observation as it is read back. */
export interface SavedObservation extends StoredObservation {
  /** Milliseconds since 1970: when the span arrived first. */
  readonly createdAt: number
  /** Milliseconds since 1970: when the span arrived last. */
  readonly updatedAt: number
}

/** The API filters by these: the newest rows with a value are found without the others. */
const BY_VALUE = ['name', 'level', 'environment', 'userId', 'sessionId']

/**
 * Metrics group by these and aggregate them, and the API filters the newest observations by them: an index of them is
 * read in place of rows that hold inputs and outputs.
 */
const FIGURES = [
  ...['startTime', 'endTime', 'completionStartTime', 'type', 'name', 'level', 'model', 'environment', 'version'],
  ...['release', 'userId', 'sessionId', 'traceId', 'traceName', 'promptName', 'promptVersion', 'usage', 'cost'],
  ...['root', 'tags'],
]

/** A span that arrives again replaces the earlier one, and keeps its place. */
export const OBSERVATIONS: Table<SavedObservation & { readonly span: StoredOtlp }> = {
  name: 'observations',
  columns: {
    traceId: text,
    id: text,
    parentId: text,
    root: whole,
    type: text,
    name: text,
    level: text,
    statusMessage: text,
    startTime: whole,
    endTime: whole,
    completionStartTime: whole,
    model: text,
    modelParameters: json,
    usage: json,
    cost: json,
    promptName: text,
    promptVersion: whole,
    environment: text,
    version: text,
    release: text,
    userId: text,
    sessionId: text,
    traceName: text,
    tags: json,
    public: flag,
    experiment: json,
    createdAt: whole,
    updatedAt: whole,
    // Last: what stands before them is read without them.
    metadata: json,
    input: text,
    output: text,
    span: either,
  },
  key: ['traceId', 'id'],
  keeps: ['createdAt'],
  aside: ['span'],
  indexes: [
    `(${FIGURES.join(', ')})`,
    '(traceId, startTime)',
    ...BY_VALUE.map((column) => `(${column}, startTime) WHERE ${column} IS NOT NULL`),
    // What the list of experiments counts is read from it alone.
    "(json_extract(experiment, '$.id'), startTime, endTime, level, traceId) WHERE experiment IS NOT NULL",
  ],
}

/** Columns that are large. */
export const LARGE = ['metadata', 'input', 'output'] as const
