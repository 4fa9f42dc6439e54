import * as v from 'valibot'
import { date, type Schema, text, word } from '../../http/fields.ts'
import { each, numeric, offset, one, oneOr, readParameters, trimmed, wholeTo } from '../../http/parameters.ts'
import { LEVELS } from '../../store/observation.ts'
import { allOf, anyOf, type Clause, oneOf } from '../../store/rows.ts'

/** A validated query of the list of traces. */
export interface TraceQuery {
  readonly where: Clause
  /** The parts of {@link where}, by the parameters that have them. */
  readonly conditions: Readonly<Record<string, readonly Clause[]>>
  readonly order: Clause
  readonly limit: number
  readonly offset: number
}

const SORTS = {
  time: 'startTime',
  latency: '(endTime - startTime)',
  cost: 'cost',
  tokens: 'totalTokens',
  observations: 'observations',
  name: 'name',
} as const
const SORT_NAMES = Object.keys(SORTS) as (keyof typeof SORTS)[]
const AVERAGE = '(SELECT avg(number) FROM scores WHERE scores.traceId = traces.traceId AND scores.name = ?)'
const SCORE = 'score:'

/** A column, or `score:` and the name of a score: traces without that come last. */
const sorting: Schema<(order: string) => Clause> = v.union(
  [
    v.pipe(
      word(SORT_NAMES),
      v.transform((name) => (order: string) => ({ sql: `${SORTS[name]} ${order}`, values: [] })),
    ),
    v.pipe(
      v.string(),
      v.startsWith(SCORE),
      v.transform((name) => (order: string) => ({
        sql: `${AVERAGE} ${order} NULLS LAST`,
        values: [name.slice(SCORE.length)],
      })),
    ),
  ],
  `expected ${SORT_NAMES.join(', ')}, or ${SCORE} and a name`,
)

const is = (column: string) => (values: readonly string[]) => oneOf(column, values)
const holds = (column: string) => (values: readonly string[]) =>
  anyOf(values.map((value) => ({ sql: `instr(${column}, ?) > 0`, values: [JSON.stringify(value)] })))

/** A parameter that names values: any of them fits. */
const given = (write: (values: readonly string[]) => Clause, schema: Schema<string> = text): Schema<Clause[]> =>
  v.pipe(
    each(schema),
    v.transform((values) => (values.length === 0 ? [] : [write(values)])),
  )
const bound = (sql: string, schema: Schema<number>): Schema<Clause[]> =>
  v.pipe(
    one(schema),
    v.transform((value) => (value === undefined ? [] : [{ sql, values: [value] }])),
  )
const thousands = (schema: Schema<number>) =>
  v.pipe(
    schema,
    v.transform((value) => value * 1_000),
  )

const PARAMETERS = {
  name: given(is('name')),
  user: given(is('userId')),
  session: given(is('sessionId')),
  environment: given(is("coalesce(environment, 'default')")),
  tag: given(holds('tags')),
  model: given(holds('models')),
  level: given(
    is('level'),
    v.pipe(
      word(LEVELS),
      v.transform((level) => String(LEVELS.indexOf(level))),
    ),
  ),
  score: given((values) => anyOf(values.map(scoreClause))),
  from: bound('startTime >= ?', thousands(date)),
  to: bound('startTime < ?', thousands(date)),
  minLatency: bound('endTime - startTime >= ?', thousands(numeric)),
  maxLatency: bound('endTime - startTime <= ?', thousands(numeric)),
  minCost: bound('cost >= ?', numeric),
  maxCost: bound('cost <= ?', numeric),
  sort: one(sorting),
  order: oneOr(word(['asc', 'desc']), 'desc'),
  limit: oneOr(wholeTo(500), 100),
  offset,
  search: one(trimmed),
}

/**
 * Checks a query as a whole.
 *
 * @param find returns the ids of the traces that contain words.
 * @throws Refusal 400 with one issue for every parameter that does not fit.
 */
export function readTraceQuery(query: URLSearchParams, find: (words: string) => readonly string[]): TraceQuery {
  const { sort, order, limit, offset, search, ...filters } = readParameters(query, PARAMETERS)
  const by = sort?.(order) ?? { sql: `startTime ${order}`, values: [] }
  const conditions = { ...filters, search: search ? [searchClause(search, find(search))] : [] }
  return {
    where: allOf(Object.values(conditions).flat()),
    conditions,
    order: { ...by, sql: `${by.sql}, seq ${order}` },
    limit,
    offset,
  }
}

/** Columns that a search finds parts of. One pattern for each takes half the time of one for all of them joined. */
const PARTS = ['name', 'names', 'tags', 'userId', 'sessionId']

/** The beginning of an id, a part of a name, tag, user or session, or what is found in the observations. */
function searchClause(words: string, found: readonly string[]): Clause {
  const id = words.toLowerCase()
  const pattern = `%${words.replaceAll(/[\\%_]/g, '\\$&')}%`
  const byId = anyOf([
    { sql: '(traceId >= ? AND traceId < ?)', values: [id, `${id}\uffff`] },
    { sql: 'traceId IN (SELECT value FROM json_each(?))', values: [JSON.stringify(found)] },
  ])
  return anyOf([
    // By index, and then compared as numbers: the scan for the parts takes half the time.
    { sql: `seq IN (SELECT seq FROM traces WHERE ${byId.sql})`, values: byId.values },
    ...PARTS.map((column) => ({ sql: `${column} LIKE ? ESCAPE '\\'`, values: [pattern] })),
  ])
}

/** `quality`, `quality>=0.5`, `mood=good`. */
function scoreClause(given: string): Clause {
  const [, name = given, operator, value = ''] = /^(.+?)(>=|<=|=|>|<)(.*)$/s.exec(given) ?? []
  if (operator === undefined) return scored({ sql: 'name = ?', values: [name] })
  const number = Number(value)
  const text = operator === '=' ? [{ sql: 'text = ?', values: [value] }] : []
  const numeric = value !== '' && Number.isFinite(number) ? [{ sql: `number ${operator} ?`, values: [number] }] : []
  const fits = anyOf([...text, ...numeric])
  return scored({ sql: `name = ? AND ${fits.sql}`, values: [name, ...fits.values] })
}

// The plus keeps the order of the list: reading the traces of many scores and sorting them takes ten times as long.
const scored = ({ sql, values }: Clause): Clause => ({
  sql: `+traceId IN (SELECT traceId FROM scores WHERE ${sql})`,
  values,
})
