import { type Answer, json } from '../../http/answer.ts'
import { text, whole } from '../../http/fields.ts'
import type { Call } from '../../http/router.ts'
import { decodedOrNull } from '../../json-text.ts'
import type { ReadService } from '../../service.ts'
import type { SavedObservation } from '../../store/columns.ts'
import type { ExperimentItem } from '../../store/observation.ts'
import type { ReadStore } from '../../store/read-store.ts'
import { isoTime } from '../../trace/trace.ts'
import { cursorPage } from '../cursor.ts'
import type { FilterColumn } from '../observations/filter-columns.ts'
import { type Listing, type ListingQuery, readListing, scoresOf } from './query.ts'

type Item = SavedObservation & { readonly experiment: ExperimentItem }
type Shape = (item: Item, context: { store: ReadStore; scoreLimit: number }) => Record<string, unknown>

/** The field groups of `ExperimentItem` (appendix A) beside `core`. */
const GROUPS = {
  dataset: ({ experiment }) => ({
    experimentDatasetId: experiment.datasetId,
    experimentItemVersion: experiment.itemVersion,
  }),
  io: ({ input, output, experiment }) => ({
    input: decodedOrNull(input),
    output: decodedOrNull(output),
    expectedOutput: experiment.expectedOutput,
  }),
  metadata: ({ metadata }) => ({ metadata }),
  itemMetadata: ({ experiment }) => ({ experimentItemMetadata: experiment.itemMetadata }),
  experimentMetadata: ({ experiment }) => ({
    experimentMetadata: experiment.metadata,
    experimentDescription: experiment.description,
  }),
  scores: ({ traceId }, { store, scoreLimit }) => ({
    scores: scoresOf('traceId', traceId, scoreLimit, store),
  }),
} satisfies Record<string, Shape>

type Group = keyof typeof GROUPS | 'core'

const field = (name: string): FilterColumn => ({ sql: `json_extract(experiment, '$.${name}')`, kind: 'text' })
const LISTING: Listing<Group> = {
  columns: {
    experimentId: field('id'),
    experimentName: field('name'),
    experimentItemId: field('itemId'),
    datasetId: field('datasetId'),
  },
  groups: ['core', ...(Object.keys(GROUPS) as Group[])],
  defaultGroups: ['core', 'dataset'],
  position: [whole, text, text],
}

/** `GET /api/public/experiment-items`: newest first, a page at a time (contract 3.7 and 3.8). */
export function listExperimentItems({ query }: Call, { store }: ReadService): Answer {
  const listing = readListing(query, LISTING)
  const active = {
    sql: 'experiment IS NOT NULL AND startTime >= ? AND startTime < ?',
    values: [listing.fromStartTime, listing.toStartTime],
  }
  const { rows, next } = cursorPage<SavedObservation>(
    { ...listing, where: [active, ...listing.where], by: ['startTime', 'traceId', 'id'] },
    (clause) => store.observations(clause),
  )
  return json(200, { data: rows.filter(isItem).map((item) => itemShape(item, listing, store)), meta: next })
}

const isItem = (observation: SavedObservation): observation is Item => observation.experiment !== null

function itemShape(item: Item, { fields: groups, scoreLimit }: ListingQuery<Group>, store: ReadStore) {
  const { id, traceId, startTime, endTime, level, environment, experiment } = item
  const requested = groups.flatMap((group): Shape[] => (group === 'core' ? [] : [GROUPS[group]]))
  return Object.assign(
    {
      id,
      traceId,
      startTime: isoTime(startTime),
      endTime: isoTime(endTime),
      level,
      environment,
      experimentId: experiment.id,
      experimentName: experiment.name,
      experimentItemId: experiment.itemId,
    },
    ...requested.map((shape) => shape(item, { store, scoreLimit })),
  )
}
