import { type Answer, json } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'

/** The number of newest traces that are searched for values, and the most values of one kind. */
const ASKED = 5_000
const VALUES = 100

const RECENT = `(SELECT * FROM traces ORDER BY startTime DESC LIMIT ${ASKED})`
const column = (name: string) =>
  `SELECT ${name} AS value, count(*) AS n FROM ${RECENT} WHERE ${name} IS NOT NULL GROUP BY 1 ORDER BY n DESC, 1 LIMIT ${VALUES}`
const list = (name: string) =>
  `SELECT each.value AS value, count(*) AS n FROM ${RECENT}, json_each(${name}) AS each GROUP BY 1 ORDER BY n DESC, 1 LIMIT ${VALUES}`

const QUERIES = {
  name: column('name'),
  user: column('userId'),
  session: column('sessionId'),
  environment: column("coalesce(environment, 'default')"),
  tag: list('tags'),
  model: list('models'),
  score: `SELECT name AS value, count(*) AS n FROM (SELECT name FROM scores ORDER BY seq DESC LIMIT ${ASKED})
    GROUP BY 1 ORDER BY n DESC, 1 LIMIT ${VALUES}`,
} as const

/** Values that traces have, each with how many of the newest traces have it. */
export type Choices = Readonly<Record<keyof typeof QUERIES, readonly (readonly [value: string, count: number])[]>>

/** `GET /viewer/choices`: what the filters of the list offer. */
export function getChoices(_: Call, { store }: ReadService): Answer {
  const choices = Object.entries(QUERIES).map(([name, sql]) => [
    name,
    store.query({ sql, values: [] }).map(({ value, n }) => [String(value), Number(n)]),
  ])
  return json(200, Object.fromEntries(choices))
}
