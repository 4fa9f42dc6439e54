import type { SvcClient } from '@svc/client'
import { table } from './table.ts'

/** Headings of docs/migrating-from-v5.md, whose passages the command prints. */
export type Heading =
  | ''
  | 'packages-that-moved'
  | 'prompts'
  | 'datasets-and-their-items'
  | 'media'
  | 'traces-observations-sessions'
  | 'metrics'
  | 'scores'
  | 'experiments'
  | 'itemlink'
  | 'sending-traces-by-the-api'
  | 'input-and-output-of-a-trace'
  | 'an-empty-request-before-the-options'
  | 'types'
  | 'names-of-older-versions'
  | 'metadata-masks-and-batches'
  | 'scores-and-calls-of-the-api'
  | 'model-calls-and-observations'
  | 'experiments-and-evaluators'

/** A member of `SvcClient` in version 5, and its replacement. */
export interface MemberRow {
  readonly heading: Heading
  /** Its path in version 6. Omitted if there is no single replacement. */
  readonly to?: string
  /** What to use instead, or what to change if it was renamed and its result is used. */
  readonly instead?: string
}

const OBSERVATIONS = 'traces-observations-sessions'
const GET_MANY = (filter: string) => `Read api.observations.getMany({ ${filter} }), page by page.`
const LIST = 'Use api.experiments.list({ datasetId, fromStartTime }) and .listItems.'

/** Members by their path from the client. `*` at the end matches every member below. */
export const MEMBERS = table<MemberRow>({
  getPrompt: { heading: 'prompts', to: 'prompt.get' },
  createPrompt: { heading: 'prompts', to: 'prompt.create' },
  updatePrompt: { heading: 'prompts', to: 'prompt.update' },

  getDataset: { heading: 'datasets-and-their-items', to: 'dataset.get' },
  createDatasetItem: { heading: 'datasets-and-their-items', to: 'dataset.createItem' },
  createDataset: { heading: 'datasets-and-their-items', to: 'api.datasets.create' },
  getDatasetItem: { heading: 'datasets-and-their-items', to: 'api.datasetItems.get' },

  resolveMediaReferences: { heading: 'media', to: 'media.resolveReferences' },
  fetchMedia: { heading: 'media', to: 'api.media.get' },

  fetchTrace: { heading: OBSERVATIONS, instead: GET_MANY('traceId, fields') },
  getTrace: { heading: OBSERVATIONS, instead: GET_MANY('traceId, fields') },
  fetchTraces: { heading: OBSERVATIONS, instead: GET_MANY('isRootObservation: true, fields') },
  fetchObservation: { heading: OBSERVATIONS, instead: GET_MANY('filter, fields') },
  fetchObservations: { heading: OBSERVATIONS, instead: GET_MANY('type, fields') },
  fetchSessions: { heading: OBSERVATIONS, instead: GET_MANY('sessionId, fields') },
  'api.trace.get': { heading: OBSERVATIONS, instead: GET_MANY('traceId, fields') },
  'api.trace.list': { heading: OBSERVATIONS, instead: GET_MANY('isRootObservation: true, fields') },
  'api.sessions.*': { heading: OBSERVATIONS, instead: GET_MANY('sessionId, fields') },
  'api.legacy.observationsV1.*': { heading: OBSERVATIONS, instead: GET_MANY('traceId, fields') },

  'api.legacy.metricsV1': { heading: 'metrics', to: 'api.metrics' },
  'api.legacy.metricsV1.metrics': { heading: 'metrics', to: 'api.metrics.metrics' },

  'api.legacy.scoreV1': { heading: 'scores', to: 'api.scores' },
  'api.legacy.scoreV1.create': {
    heading: 'scores',
    to: 'api.scores.create',
    instead: 'The response no longer has an id: set `id` in the score if you need it.',
  },
  'api.scores.create': {
    heading: 'scores',
    to: 'api.scores.create',
    instead: 'The response no longer has an id: set `id` in the score if you need it.',
  },
  'api.legacy.scoreV1.delete': { heading: 'scores', to: 'api.scores.delete' },
  'api.scoresV3': { heading: 'scores', to: 'api.scores' },
  'api.scoresV3.getManyV3': { heading: 'scores', to: 'api.scores.getMany' },
  'api.scores.getById': {
    heading: 'scores',
    instead: 'Use api.scores.getMany({ id }): the score is the first of `data`.',
  },
  'api.legacy.*': { heading: OBSERVATIONS, instead: 'The namespace api.legacy is gone.' },

  getDatasetRun: { heading: 'experiments', instead: LIST },
  getDatasetRuns: { heading: 'experiments', instead: 'Use api.experiments.list({ datasetId, fromStartTime }).' },
  'api.datasets.getRun': { heading: 'experiments', instead: LIST },
  'api.datasets.getRuns': {
    heading: 'experiments',
    instead: 'Use api.experiments.list({ datasetId, fromStartTime }).',
  },
  'api.datasets.deleteRun': {
    heading: 'experiments',
    instead: 'Use experiment.delete({ datasetId, name, fromStartTime }).',
  },
  'api.datasetRunItems.create': {
    heading: 'experiments',
    instead: 'Use dataset.runExperiment, which links the items.',
  },
  'api.datasetRunItems.*': {
    heading: 'experiments',
    instead: 'Use api.experiments.listItems({ datasetId, experimentName, fromStartTime }).',
  },

  'api.ingestion.*': {
    heading: 'sending-traces-by-the-api',
    instead: 'Send traces by @svc/tracing, and scores by api.scores.create([…]).',
  },
})

const OF_VERSION_6 = {
  api: true,
  dataset: true,
  experiment: true,
  flush: true,
  getExperimentUrl: true,
  getProjectId: true,
  getTraceUrl: true,
  media: true,
  prompt: true,
  score: true,
  shutdown: true,
} satisfies Record<keyof SvcClient, true>

/** Whether a client of version 6 lacks a member that no table knows: that of an older version, or of a subclass. */
export const isUnknown = ([name, ...rest]: readonly string[]): boolean =>
  name !== undefined && rest.length === 0 && !(name in OF_VERSION_6)

/** Returns the row of a member, or of the nearest removed namespace above it. */
export function memberRow(path: readonly string[]): (MemberRow & { readonly depth: number }) | undefined {
  const exact = MEMBERS[path.join('.')]
  if (exact) return { ...exact, depth: path.length }
  for (let depth = path.length; depth > 0; depth -= 1) {
    const above = MEMBERS[[...path.slice(0, depth), '*'].join('.')]
    if (above) return { ...above, depth }
  }
  return undefined
}

/** Returns the path in version 6 for a path of version 5; undefined if it was removed without replacement. */
export function movedPath(path: readonly string[]): readonly string[] | undefined {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const row = MEMBERS[path.slice(0, depth).join('.')]
    if (row?.to) return [...row.to.split('.'), ...path.slice(depth)]
    if (row) return undefined
  }
  return memberRow(path) ? undefined : path
}
