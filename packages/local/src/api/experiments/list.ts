import { type Answer, json } from '../../http/answer.ts'
import { text, whole } from '../../http/fields.ts'
import type { Call } from '../../http/router.ts'
import { decoded } from '../../json-text.ts'
import type { ReadService } from '../../service.ts'
import type { ReadStore } from '../../store/read-store.ts'
import { isoTime } from '../../trace/trace.ts'
import { cursorPage } from '../cursor.ts'
import { type Listing, type ListingQuery, readListing, scoresOf } from './query.ts'

type Group = 'core' | 'metadata' | 'scores'

const LISTING: Listing<Group> = {
  columns: {
    id: { sql: 'id', kind: 'text' },
    name: { sql: 'name', kind: 'text' },
    datasetId: { sql: 'datasetId', kind: 'text' },
  },
  groups: ['core', 'metadata', 'scores'],
  defaultGroups: ['core'],
  position: [whole, text],
}

/** One row an experiment: all of its items say the same of it. */
const EXPERIMENTS = `
  SELECT
    json_extract(experiment, '$.id') AS id,
    max(json_extract(experiment, '$.name')) AS name,
    max(json_extract(experiment, '$.description')) AS description,
    max(json_extract(experiment, '$.metadata')) AS metadata,
    max(json_extract(experiment, '$.datasetId')) AS datasetId,
    min(startTime) AS startTime,
    max(endTime) AS endTime,
    max(startTime) AS latest,
    count(*) AS itemCount
  FROM observations WHERE experiment IS NOT NULL GROUP BY json_extract(experiment, '$.id')
`

/** `GET /api/public/experiments`: the one that was active last first, a page at a time (contract 3.7 and 3.8). */
export function listExperiments({ query }: Call, { store }: ReadService): Answer {
  const listing = readListing(query, LISTING)
  const active = { sql: 'latest >= ? AND startTime < ?', values: [listing.fromStartTime, listing.toStartTime] }
  const { rows, next } = cursorPage(
    { ...listing, where: [active, ...listing.where], by: ['latest', 'id'] },
    ({ sql, values }) => store.query({ sql: `SELECT * FROM (${EXPERIMENTS}) ${sql}`, values }),
  )
  return json(200, { data: rows.map((row) => experimentShape(row, listing, store)), meta: next })
}

/** `Experiment` (appendix A). */
function experimentShape(
  row: Record<string, unknown>,
  { fields: groups, scoreLimit }: ListingQuery<Group>,
  store: ReadStore,
) {
  const { id, name, description, startTime, endTime, itemCount, datasetId, metadata } = row
  return {
    id,
    name,
    description,
    startTime: isoTime(Number(startTime)),
    endTime: isoTime(Number(endTime)),
    itemCount,
    datasetId,
    ...(groups.includes('metadata') ? { metadata: metadata === null ? null : decoded(String(metadata)) } : {}),
    ...(groups.includes('scores') ? { scores: scoresOf('datasetRunId', String(id), scoreLimit, store) } : {}),
  }
}
