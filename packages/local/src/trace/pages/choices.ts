import { groupBy } from '../../group.ts'
import { type Answer, json } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'
import { allOf } from '../../store/rows.ts'
import { readTraceQuery } from './trace-query.ts'

/** The number of newest traces that are searched for values, and the most values of one kind. */
const ASKED = 5_000
const VALUES = 100

const MOST = `GROUP BY value ORDER BY n DESC, value LIMIT ${VALUES}`
const column = (name: string) => `SELECT ${name} AS value, count(*) AS n FROM recent WHERE ${name} IS NOT NULL ${MOST}`
const list = (name: string) =>
  `SELECT each.value AS value, count(*) AS n FROM recent, json_each(${name}) AS each ${MOST}`

const QUERIES = {
  name: column('name'),
  user: column('userId'),
  session: column('sessionId'),
  environment: column("coalesce(environment, 'default')"),
  tag: list('tags'),
  model: list('models'),
  score: `SELECT name AS value, count(*) AS n FROM (SELECT name FROM scores
    WHERE traceId IN (SELECT traceId FROM recent) ORDER BY seq DESC LIMIT ${ASKED}) ${MOST}`,
} as const

type Kind = keyof typeof QUERIES

/** Values that traces have, each with how many of the newest traces have it. */
export type Choices = Readonly<Record<Kind, readonly (readonly [value: string, count: number])[]>>

/**
 * `GET /viewer/choices`: what the filters of the list offer. They count the traces that the other filters and the
 * search leave, so that each value says how many it would show.
 */
export function getChoices({ query }: Call, { store }: ReadService): Answer {
  const { conditions } = readTraceQuery(query, (words) => store.search.traces(words))
  const kinds = Object.keys(QUERIES) as Kind[]
  const choices = Object.fromEntries(kinds.map((kind): [Kind, [string, number][]] => [kind, []]))
  // The traces are found once for all kinds without a filter of their own.
  for (const [own, group] of groupBy(kinds, (kind) => (conditions[kind]?.length ? kind : undefined))) {
    const others = Object.entries(conditions).flatMap(([name, clauses]) => (name === own ? [] : clauses))
    const { sql, values } = allOf(others)
    const counted = group.map((kind) => `SELECT '${kind}' AS kind, * FROM (${QUERIES[kind]})`)
    const rows = store.query({
      sql: `WITH recent AS MATERIALIZED (SELECT * FROM traces WHERE ${sql} ORDER BY startTime DESC LIMIT ${ASKED})
        ${counted.join(' UNION ALL ')}`,
      values,
    })
    for (const { kind, value, n } of rows) choices[String(kind)]?.push([String(value), Number(n)])
  }
  return json(200, choices)
}
