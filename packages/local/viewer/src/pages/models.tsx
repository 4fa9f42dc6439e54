import { type Loaded, useAnswer } from '../api.ts'
import { BarChart } from '../bar-chart.tsx'
import { Awaited, Copyable, Empty, Failed } from '../empty.tsx'
import { amount, dollars, duration, exact } from '../format.ts'
import { useLive } from '../live.ts'
import { type Figures, keyOf, MAX_ROWS, METRIC_FILTERS, type Metric, MODEL, metricsUrl } from '../metrics.ts'
import { periodBars } from '../periods.ts'
import { usePageLocation } from '../router.ts'
import { type Column, Page, type Sorting, sortingOf, Table } from '../table.tsx'
import { Chips, Filters, useChoices } from '../traces/filters.tsx'

interface Figure extends Metric {
  /** Its name in the URL. */
  readonly sort: string
  readonly title: string
  /** Of the calls with this level only. */
  readonly level?: string
  readonly show: (value: number) => string
}

const COUNT: Metric = { measure: 'count', aggregation: 'count' }
const milliseconds = (ms: number) => duration(ms * 1_000)
const FIGURES: readonly Figure[] = [
  { sort: 'calls', title: 'Calls', ...COUNT, show: exact },
  { sort: 'errors', title: 'Errors', ...COUNT, level: 'ERROR', show: exact },
  { sort: 'input', title: 'Input tokens', measure: 'inputTokens', aggregation: 'sum', show: amount },
  { sort: 'output', title: 'Output tokens', measure: 'outputTokens', aggregation: 'sum', show: amount },
  { sort: 'cost', title: 'Cost', measure: 'totalCost', aggregation: 'sum', show: dollars },
  { sort: 'p50', title: 'p50 latency', measure: 'latency', aggregation: 'p50', show: milliseconds },
  { sort: 'p95', title: 'p95 latency', measure: 'latency', aggregation: 'p95', show: milliseconds },
]
const ESTIMATED: Metric = { measure: 'estimatedCost', aggregation: 'count' }
const SORTS = [...FIGURES.map(({ sort }) => sort), 'model']

/** A model with its figures, each under its name in the URL. */
interface Row {
  readonly model: string
  readonly figures: Readonly<Record<string, number | null>>
  readonly estimated: boolean
}

type Answer = Loaded<{ readonly data: readonly Figures[] }>

export function ModelsPage() {
  const place = usePageLocation()
  const choices = useChoices()
  const sorting = sortingOf(place.query, SORTS)
  const dimensions = [MODEL]
  const metrics = [...FIGURES.filter(({ level }) => level === undefined), ESTIMATED].map(metricOf)
  const all: Answer = useAnswer(metricsUrl(place.query, { metrics, dimensions }))
  const failed: Answer = useAnswer(metricsUrl(place.query, { metrics: [COUNT], dimensions, level: 'ERROR' }))
  useLive(() => {
    all.reload()
    failed.reload()
  })
  const narrowed = METRIC_FILTERS.some((name) => place.query.get(name))
  const error = all.error ?? failed.error
  const rows = all.data && failed.data && rowsOf(all.data.data, failed.data.data).sort(by(sorting))
  if (rows?.length === 0 && !narrowed) {
    return (
      <Empty title="No model call yet">
        <p>Calls of models appear here when an application makes them with our preload:</p>
        <Copyable text="node --env-file=.env --import @svc/register app.js" />
      </Empty>
    )
  }
  return (
    <div class="list-page">
      <Filters place={place} names={METRIC_FILTERS} open={['model', 'environment', 'from']} choices={choices} />
      <Page title="Models" tools={<span class="dim">{rows && countOf(rows.length)}</span>}>
        <Chips place={place} names={METRIC_FILTERS} />
        <Awaited data={rows} error={error} />
        {rows?.length === 0 && (
          <Empty title="No call fits">
            <p class="dim">Calls that fit appear here as they arrive.</p>
          </Empty>
        )}
        {rows && rows.length > 0 && (
          <>
            <OverTime sorting={sorting} query={place.query} />
            <Table
              label="Models"
              columns={columnsFor(place.query)}
              rows={rows}
              keyOf={({ model }) => model}
              sorting={sorting}
            />
          </>
        )}
      </Page>
    </div>
  )
}

const metricOf = ({ measure, aggregation }: Metric): Metric => ({ measure, aggregation })

function rowsOf(all: readonly Figures[], failed: readonly Figures[]): Row[] {
  const errors = new Map(failed.map((row) => [row[MODEL], Number(row[keyOf(COUNT)])]))
  return all.map((row) => ({
    model: String(row[MODEL]),
    figures: Object.fromEntries(
      FIGURES.map((figure) => [
        figure.sort,
        figure.level ? (errors.get(row[MODEL]) ?? 0) : numberOf(row[keyOf(figure)]),
      ]),
    ),
    estimated: Number(row[keyOf(ESTIMATED)]) > 0,
  }))
}

const numberOf = (value: Figures[string] | undefined) => (typeof value === 'number' ? value : null)

/** Models without a figure come last either way. */
function by({ sort, order }: Sorting): (a: Row, b: Row) => number {
  const sign = order === 'desc' ? -1 : 1
  return (a, b) => {
    const [first, second] = [a.figures[sort] ?? null, b.figures[sort] ?? null]
    const names = a.model.localeCompare(b.model)
    if (sort === 'model') return sign * names
    if (first === null || second === null) return Number(first === null) - Number(second === null) || names
    return sign * (first - second) || names
  }
}

const countOf = (models: number) =>
  models === MAX_ROWS
    ? `the ${exact(models)} models with most calls`
    : `${exact(models)} ${models === 1 ? 'model' : 'models'}`

function columnsFor(query: URLSearchParams): readonly Column<Row>[] {
  const kept = [...query].filter(([name]) => METRIC_FILTERS.includes(name) && name !== 'model')
  const linkOf = (model: string) => `/?${new URLSearchParams([...kept, ['model', model]])}`
  return [
    {
      title: 'Model',
      sort: 'model',
      cell: ({ model }) => (
        <a class="model-name" href={linkOf(model)} title={`Traces that use ${model}`}>
          {model}
        </a>
      ),
    },
    ...FIGURES.map(
      (figure): Column<Row> => ({
        title: figure.title,
        sort: figure.sort,
        right: true,
        cell: (row) => <Value row={row} figure={figure} />,
      }),
    ),
  ]
}

function Value({ row: { figures, estimated }, figure: { sort, show } }: { row: Row; figure: Figure }) {
  const value = figures[sort] ?? null
  if (value === null) return null
  if (sort === 'errors') return value > 0 ? <span class="badge ERROR">{show(value)}</span> : <span class="dim">0</span>
  if (sort === 'cost') {
    return (
      <span title={estimated ? 'Partly or wholly by the list prices built in' : undefined}>
        {dollars(value, estimated)}
      </span>
    )
  }
  return <span title={show === amount ? exact(value) : undefined}>{show(value)}</span>
}

/** The figure that the table is sorted by, of all calls, from period to period. */
function OverTime({ sorting, query }: { sorting: Sorting; query: URLSearchParams }) {
  const figure = FIGURES.find(({ sort }) => sort === sorting.sort) ?? (FIGURES[0] as Figure)
  const { data, error, reload }: Answer = useAnswer(
    metricsUrl(query, {
      metrics: [metricOf(figure)],
      granularity: 'auto',
      ...(figure.level && { level: figure.level }),
    }),
  )
  useLive(reload)
  if (error) return <Failed error={error} />
  const { bars, name, ends } = periodBars(
    (data?.data ?? []).map((row) => ({
      start: Date.parse(String(row.time_dimension)),
      value: numberOf(row[keyOf(figure)]) ?? 0,
    })),
  )
  return <BarChart caption={`${figure.title} per ${name}`} bars={bars} show={figure.show} ends={ends} />
}
