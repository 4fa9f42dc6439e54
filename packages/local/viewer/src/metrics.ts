import { FILTERS } from './traces/filters.tsx'

/** A figure that the metrics of the service have. */
export interface Metric {
  readonly measure: string
  readonly aggregation: string
}

/** A row of an answer: dimensions by their names, figures by {@link keyOf}. */
export type Figures = Readonly<Record<string, string | number | null>>

/** The parameters of a request beside the filters of the page. */
interface Wanted {
  readonly metrics: readonly Metric[]
  readonly dimensions?: readonly string[]
  readonly level?: string
  readonly granularity?: string
}

const anyOf = (column: string, type = 'stringOptions') => ({ type, column, operator: 'any of' })

/** The column that holds the name of the model. */
export const MODEL = 'providedModelName'
/** Filters of the list of traces that observations have, too. */
const COLUMNS: Readonly<Record<string, ReturnType<typeof anyOf>>> = {
  model: anyOf(MODEL),
  environment: anyOf('environment'),
  tag: anyOf('tags', 'arrayOptions'),
  user: anyOf('userId'),
  session: anyOf('sessionId'),
}
export const METRIC_FILTERS = FILTERS.filter((name) => Object.hasOwn(COLUMNS, name) || ['from', 'to'].includes(name))

/** Most rows that are answered. */
export const MAX_ROWS = 1_000

export const keyOf = ({ measure, aggregation }: Metric): string => `${aggregation}_${measure}`

/** Returns the URL of figures of model calls, within the filters of the page. */
export function metricsUrl(place: URLSearchParams, { metrics, dimensions = [], level, granularity }: Wanted): string {
  const filters = Object.entries(COLUMNS).flatMap(([name, condition]) => {
    const value = place.getAll(name).filter((each) => each !== '')
    return value.length > 0 ? [{ ...condition, value }] : []
  })
  const query = {
    view: 'observations',
    metrics,
    dimensions: dimensions.map((field) => ({ field })),
    filters: [
      { type: 'null', column: MODEL, operator: 'is not null' },
      ...(level === undefined ? [] : [{ ...anyOf('level'), value: [level] }]),
      ...filters,
    ],
    ...(granularity === undefined ? {} : { timeDimension: { granularity } }),
    fromTimestamp: place.get('from') || undefined,
    toTimestamp: place.get('to') || undefined,
    config: { row_limit: MAX_ROWS },
  }
  return `/viewer/metrics?query=${encodeURIComponent(JSON.stringify(query))}`
}
