import { groupBy } from '../../group.ts'
import { type Answer, json } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import { decodedExactly } from '../../json-text.ts'
import type { ReadService } from '../../service.ts'
import type { ReadStore } from '../../store/read-store.ts'
import { scoreFor } from '../../store/score.ts'
import { markOf, type ScoreMark } from './trace-list.ts'

/** Newest runs that are listed, and items of one that are shown. */
const RUNS = 500
const ITEMS = 1_000
/** Characters of an input or output that are shown beside others. */
const SHOWN = 5_000

/** A run of an experiment. Times are microseconds. */
export interface ListedRun {
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** The name of its dataset. */
  readonly dataset: string | null
  /** Since 1970. */
  readonly startTime: number
  readonly items: number
  readonly failed: number
  /** The average of its items. */
  readonly latency: number
  /** US dollars of all its items; null when unknown. */
  readonly cost: number | null
  readonly estimated: boolean
  /** The average of each score that is a number, by its name: that of the items, else the one of the run. */
  readonly averages: Readonly<Record<string, number>>
}

/** One item of a run. */
export interface RunItem {
  readonly id: string
  readonly traceId: string
  readonly itemId: string
  readonly failed: boolean
  /** Microseconds. */
  readonly latency: number
  /** As text where they are long. */
  readonly input: unknown
  readonly output: unknown
  readonly expected: unknown
  readonly scores: readonly ScoreMark[]
}

const ID = "json_extract(experiment, '$.id')"
const part = (name: string) => `json_extract(experiment, '$.${name}')`

// What is grouped is read from the index by experiment; the cost of an item is that of its trace. All items of a run say
// the same of it, so one is read.
const LISTED = `
  WITH runs AS (
    SELECT ${ID} AS id, min(o.seq) AS one, min(o.startTime) AS startTime, count(*) AS items,
      sum(o.level = 'ERROR') AS failed, avg(o.endTime - o.startTime) AS latency, sum(t.cost) AS cost,
      max(t.estimated) AS estimated
    FROM observations AS o LEFT JOIN traces AS t USING (traceId)
    WHERE experiment IS NOT NULL GROUP BY 1 ORDER BY startTime DESC LIMIT ${RUNS}
  )
  SELECT runs.*, ${part('name')} AS name, ${part('description')} AS description, datasets.name AS dataset
  FROM runs JOIN observations AS o ON o.seq = one LEFT JOIN datasets ON datasets.id = ${part('datasetId')}
  ORDER BY runs.startTime DESC`

const AVERAGES = `
  SELECT run, name, avg(number) AS average, max(ofItem) AS ofItem FROM (
    SELECT ${ID} AS run, scores.name AS name, number, 1 AS ofItem
    FROM observations JOIN scores USING (traceId) WHERE experiment IS NOT NULL AND number IS NOT NULL
    UNION ALL
    SELECT datasetRunId, name, number, 0 FROM scores WHERE datasetRunId > '' AND number IS NOT NULL
  ) GROUP BY run, name, ofItem ORDER BY ofItem`

/** `GET /viewer/experiments`: the newest runs, each with its figures. */
export function listRuns(_: Call, { store }: ReadService): Answer {
  const averages = groupBy(store.query({ sql: AVERAGES, values: [] }), ({ run }) => String(run))
  const runs = store.query({ sql: LISTED, values: [] }).map((row): ListedRun => {
    const scores = averages.get(String(row.id)) ?? []
    return {
      id: String(row.id),
      name: String(row.name),
      description: orNull(row.description, String),
      dataset: orNull(row.dataset, String),
      startTime: Number(row.startTime),
      items: Number(row.items),
      failed: Number(row.failed),
      latency: Number(row.latency),
      cost: orNull(row.cost, Number),
      estimated: row.estimated === 1,
      averages: Object.fromEntries(scores.map(({ name, average }) => [String(name), Number(average)])),
    }
  })
  return json(200, runs)
}

const short = (column: string) =>
  `CASE WHEN length(${column}) > ${SHOWN} THEN substr(${column}, 1, ${SHOWN}) || ' …' ELSE ${column} END`

/** `GET /viewer/experiments/{id}/items`: the items of a run by their ids. */
export function listRunItems({ params }: Call, { store }: ReadService): Answer {
  const rows = store.query({
    sql: `SELECT id, traceId, level, endTime - startTime AS latency, ${part('itemId')} AS itemId,
        ${short('input')} AS input, ${short('output')} AS output, ${short("(experiment -> '$.expectedOutput')")} AS expected
      FROM observations WHERE experiment IS NOT NULL AND ${ID} = ? ORDER BY itemId, startTime LIMIT ${ITEMS}`,
    values: [params.id ?? ''],
  })
  const scores = scoresOf(
    rows.map(({ traceId }) => String(traceId)),
    store,
  )
  const items = rows.map(
    (row): RunItem => ({
      id: String(row.id),
      traceId: String(row.traceId),
      itemId: String(row.itemId),
      failed: row.level === 'ERROR',
      latency: Number(row.latency),
      input: orNull(row.input, toValue),
      output: orNull(row.output, toValue),
      expected: orNull(row.expected, toValue),
      scores: scores.get(String(row.traceId)) ?? [],
    }),
  )
  return json(200, items)
}

function scoresOf(traceIds: readonly string[], { scores }: ReadStore): ReadonlyMap<string, readonly ScoreMark[]> {
  const sql = 'WHERE traceId IN (SELECT value FROM json_each(?)) ORDER BY timestamp, seq'
  const found = groupBy(scores.find({ sql, values: [JSON.stringify(traceIds)] }), ({ traceId }) => String(traceId))
  return new Map([...found].map(([traceId, all]) => [traceId, all.map(scoreFor).map(markOf)]))
}

const toValue = (text: unknown) => decodedExactly(String(text))
const orNull = <T>(value: unknown, read: (value: unknown) => T): T | null => (value === null ? null : read(value))
