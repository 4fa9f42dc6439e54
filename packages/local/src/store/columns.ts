import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { own } from '@svc/core/own'
import { flag, json, type Kind, text, whole } from './kinds.ts'
import type { StoredObservation } from './observation.ts'
import type { Index } from './rows.ts'

/** An observation as it is read back. */
export interface SavedObservation extends StoredObservation {
  /** Milliseconds since 1970: when the span arrived first. */
  readonly createdAt: number
  /** When it arrived last. */
  readonly updatedAt: number
}

/** The columns of the table, each a property of an observation. */
const COLUMNS: Readonly<Record<keyof SavedObservation, Kind>> = {
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
}

const ENTRIES = Object.entries(COLUMNS)
const NAMES = ENTRIES.map(([name]) => name)
const LARGE: Readonly<Record<string, string>> = {
  metadata: "'{}' AS metadata",
  input: 'NULL AS input',
  output: 'NULL AS output',
}

/** What the API filters by: the newest rows with a value are found without the others. */
const byValue = (column: string): Index => ({
  name: `by_${column}`,
  on: `observations (${column}, startTime) WHERE ${column} IS NOT NULL`,
})

/** What metrics group by and aggregate: they read this index in place of rows that hold inputs and outputs. */
const FIGURES = [
  ...['startTime', 'endTime', 'completionStartTime', 'type', 'name', 'level', 'model', 'environment', 'version'],
  ...['release', 'userId', 'sessionId', 'traceId', 'traceName', 'promptName', 'promptVersion', 'usage', 'cost'],
]

export const OBSERVATION_INDEXES: readonly Index[] = [
  { name: 'by_figures', on: `observations (${FIGURES.join(', ')})` },
  { name: 'by_start', on: 'observations (startTime)' },
  { name: 'by_trace', on: 'observations (traceId, startTime)' },
  ...['name', 'level', 'environment', 'userId', 'sessionId'].map(byValue),
  {
    name: 'by_experiment',
    on: "observations (json_extract(experiment, '$.id'), startTime) WHERE experiment IS NOT NULL",
  },
]

/** `span` keeps the span as it arrived; `seq` is the order of arrival. */
export const CREATE = `
  CREATE TABLE IF NOT EXISTS observations (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    ${ENTRIES.map(([name, { sql }]) => `${name} ${sql}`).join(', ')},
    span TEXT NOT NULL,
    UNIQUE (traceId, id)
  )
`

/** A span that arrives again replaces the earlier one, and keeps its place. */
export const UPSERT = `
  INSERT INTO observations (${NAMES.join(', ')}, span) VALUES (${[...NAMES, 'span'].map((name) => `:${name}`).join(', ')})
  ON CONFLICT (traceId, id) DO UPDATE SET
    ${[...NAMES, 'span']
      .filter((name) => name !== 'createdAt')
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}
`

export const SELECT = `SELECT ${NAMES.join(', ')} FROM observations`

/** {@link SELECT} without what is large: input, output and metadata. */
export const SELECT_OUTLINE = `SELECT ${NAMES.map((name) => own(LARGE, name) ?? name).join(', ')} FROM observations`

export function toRow(observation: SavedObservation): Record<string, SQLInputValue> {
  const values: Readonly<Record<string, unknown>> = { ...observation }
  return Object.fromEntries(ENTRIES.map(([name, kind]) => [name, kind.write(values[name])]))
}

export function fromRow(row: Readonly<Record<string, SQLOutputValue>>): SavedObservation {
  const values = ENTRIES.map(([name, kind]) => [name, kind.read(row[name] ?? null)])
  return Object.fromEntries(values) as SavedObservation
}
