import type { ListedRun } from '../../../src/trace/pages/experiments.ts'
import { useAnswer } from '../api.ts'
import { BarChart } from '../bar-chart.tsx'
import { Awaited, Copyable, Empty } from '../empty.tsx'
import { dollars, duration, exact, rounded } from '../format.ts'
import { useLive } from '../live.ts'
import { go, usePageLocation, withQuery } from '../router.ts'
import { SCORE } from '../scores.tsx'
import { type Column, Page, type Sorting, sortingOf, Table } from '../table.tsx'
import { Time } from '../time.tsx'

const CODE = "await client.experiment.run({ name: 'short answers', data, task, evaluators: [] })"

/** A column that can be sorted by the number that a run has in it. */
interface NumberColumn extends Column<ListedRun> {
  readonly sort: string
  readonly numberOf: (run: ListedRun) => number | null
  readonly show: (value: number) => string
}

const numbers = (
  sort: string,
  title: string,
  numberOf: NumberColumn['numberOf'],
  show: NumberColumn['show'],
): NumberColumn => ({
  sort,
  title,
  right: true,
  numberOf,
  show,
  cell: (run) => {
    const value = numberOf(run)
    return value === null ? '' : show(value)
  },
})

const TIME: NumberColumn = {
  ...numbers('time', 'Started', ({ startTime }) => startTime, String),
  cell: ({ startTime }) => <Time micros={startTime} />,
}
const NAMES: readonly Column<ListedRun>[] = [
  {
    title: 'Name',
    cell: ({ id, name, description }) => (
      <a href={`/experiments/${encodeURIComponent(id)}`} title={description ?? undefined}>
        {name}
      </a>
    ),
  },
  {
    title: 'Dataset',
    cell: ({ dataset }) => dataset && <a href={`/datasets/${encodeURIComponent(dataset)}`}>{dataset}</a>,
  },
]

function columnsOf(runs: readonly ListedRun[]): readonly NumberColumn[] {
  const scores = [...new Set(runs.flatMap(({ averages }) => Object.keys(averages)))].sort()
  return [
    TIME,
    numbers('items', 'Items', ({ items }) => items, exact),
    numbers('failed', 'Failed', ({ failed }) => failed, exact),
    ...scores.map((name) => numbers(SCORE + name, name, ({ averages }) => averages[name] ?? null, rounded)),
    {
      ...numbers('cost', 'Cost', ({ cost }) => cost, dollars),
      cell: ({ cost, estimated }) => cost !== null && dollars(cost, estimated),
    },
    numbers('latency', 'Latency', ({ latency }) => latency, duration),
  ]
}

export function ExperimentsPage() {
  const { query } = usePageLocation()
  const { data, error, reload } = useAnswer<readonly ListedRun[]>('/viewer/experiments')
  useLive(reload)
  if (data?.length === 0) {
    return (
      <Empty title="No experiment yet">
        <p>An experiment runs a task over many inputs, and scores what comes out:</p>
        <Copyable text={CODE} />
      </Empty>
    )
  }
  const [search, dataset] = [query.get('search') ?? '', query.get('dataset') ?? '']
  const fitting = (data ?? []).filter(
    (run) => run.name.toLowerCase().includes(search.toLowerCase()) && (dataset === '' || run.dataset === dataset),
  )
  const columns = columnsOf(fitting)
  const sorting = sortingOf(
    query,
    columns.map(({ sort }) => sort),
  )
  const by = columns.find(({ sort }) => sort === sorting.sort) ?? TIME
  // Of what it is sorted by; else the first score.
  const drawn = by === TIME ? columns.find(({ sort }) => sort.startsWith(SCORE)) : by
  const datasets = [...new Set(data?.flatMap((run) => run.dataset ?? []))]
  return (
    <Page
      title="Experiments"
      tools={
        <>
          <select
            aria-label="Dataset"
            value={dataset}
            onChange={({ currentTarget }) => go(withQuery({ dataset: currentTarget.value }))}
          >
            <option value="">All datasets</option>
            {datasets.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <input
            type="search"
            aria-label="Search"
            placeholder="Search experiments"
            value={search}
            onInput={({ currentTarget }) => go(withQuery({ search: currentTarget.value }), { replace: true })}
          />
        </>
      }
    >
      <Awaited data={data} error={error} />
      {drawn && <RunChart runs={fitting} column={drawn} />}
      {data && (
        <Table
          label="Experiments"
          columns={[...NAMES, ...columns.slice(1), TIME]}
          rows={sorted(fitting, by, sorting)}
          keyOf={({ id }) => id}
          sorting={sorting}
        />
      )}
    </Page>
  )
}

/** Runs without the number stand last. */
function sorted(runs: readonly ListedRun[], { numberOf }: NumberColumn, { order }: Sorting): readonly ListedRun[] {
  const last = order === 'asc' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  const value = (run: ListedRun) => numberOf(run) ?? last
  const sign = order === 'asc' ? 1 : -1
  return [...runs].sort((a, b) => (value(a) === value(b) ? 0 : sign * (value(a) - value(b))))
}

/** A few runs are not made wide. */
const LEAST = 12

/** A number of the runs as bars, the oldest run first. */
function RunChart({ runs, column: { title, numberOf, show } }: { runs: readonly ListedRun[]; column: NumberColumn }) {
  const values = [...runs]
    .sort((a, b) => a.startTime - b.startTime)
    .flatMap((run) => {
      const value = numberOf(run)
      return value === null ? [] : [{ name: run.name, value }]
    })
  if (values.length < 2) return null
  const width = 1 / Math.max(values.length, LEAST)
  const bars = values.map((each, at) => ({ ...each, left: at * width, width }))
  return <BarChart caption={`${title} of each run`} bars={bars} show={show} />
}
