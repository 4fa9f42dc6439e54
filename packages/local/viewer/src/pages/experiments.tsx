import { useAnswer } from '../api.ts'
import { comparable, Diff } from '../content/diff.tsx'
import { Copyable, Empty, Failed } from '../empty.tsx'
import { duration } from '../format.ts'
import { CursorPager, type ListPage, Within } from '../listing.tsx'
import { useLive } from '../live.ts'
import { go, usePageLocation, withQuery } from '../router.ts'
import { ScoreMarks, type ShownScore } from '../scores.tsx'
import { type Column, Page, Short, Table } from '../table.tsx'
import { Time } from '../time.tsx'

interface Experiment {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly startTime: string
  readonly itemCount: number
  readonly scores?: readonly ShownScore[]
}

interface Item {
  readonly id: string
  readonly traceId: string
  readonly startTime: string
  readonly endTime: string
  readonly level: string
  readonly experimentItemId: string
  readonly input: unknown
  readonly output: unknown
  readonly expectedOutput: unknown
  readonly scores: readonly ShownScore[]
}

const SINCE = 'fromStartTime=1970-01-01T00:00:00Z'
const CODE = "await client.experiment.run({ name: 'short answers', data, task, evaluators: [] })"
const COLUMNS: readonly Column<Experiment>[] = [
  { title: 'Name', cell: ({ id, name }) => <a href={`/experiments/${encodeURIComponent(id)}`}>{name}</a> },
  { title: 'Description', cell: ({ description }) => <Short value={description} /> },
  { title: 'Scores', cell: ({ scores = [] }) => <ScoreMarks scores={scores} /> },
  { title: 'Items', right: true, cell: ({ itemCount }) => itemCount },
  { title: 'Started', right: true, cell: ({ startTime }) => <Time micros={Date.parse(startTime) * 1_000} /> },
]

export function ExperimentsPage() {
  const cursor = usePageLocation().query.get('cursor')
  const { data, error, reload } = useAnswer<ListPage<Experiment>>(
    `/api/public/experiments?${SINCE}&limit=100&fields=core,scores${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
  )
  useLive(reload)
  if (data?.data.length === 0 && cursor === null) {
    return (
      <Empty title="No experiment yet">
        <p>An experiment runs a task over many inputs, and scores what comes out:</p>
        <Copyable text={CODE} />
      </Empty>
    )
  }
  return (
    <Page title="Experiments">
      {error && <Failed error={error} />}
      {data && <Table label="Experiments" columns={COLUMNS} rows={data.data} keyOf={({ id }) => id} />}
      <CursorPager cursor={data?.meta.cursor} word="Older" />
    </Page>
  )
}

/** One run, or two of them side by side: what each made of an item, and how it was scored. */
export function ExperimentPage({ id }: { id: string }) {
  const { query } = usePageLocation()
  const other = query.get('with') ?? undefined
  const cursor = query.get('cursor') ?? undefined
  const all = useAnswer<ListPage<Experiment>>(`/api/public/experiments?${SINCE}&limit=100`)
  const [mine, theirs] = [useAnswer<ListPage<Item>>(itemsUrl(id, cursor)), useAnswer<ListPage<Item>>(itemsUrl(other))]
  useLive(() => {
    mine.reload()
    if (other !== undefined) theirs.reload()
  })
  const run = all.data?.data.find((each) => each.id === id)
  if (mine.error) return <Failed error={mine.error} />
  if (!mine.data) return null
  if (mine.data.data.length === 0) return <Empty title="No such experiment" />
  const matching = new Map(theirs.data?.data.map((item) => [item.experimentItemId, item]))
  const columns: readonly Column<Item>[] = [
    { title: 'Item', cell: (item) => <ItemName item={item} /> },
    { title: 'Input', cell: ({ input }) => <Short value={input} /> },
    { title: 'Expected', cell: ({ expectedOutput }) => <Short value={expectedOutput} /> },
    ...(other === undefined
      ? [{ title: 'Output', cell: ({ output }: Item) => <Short value={output} /> }]
      : [
          {
            title: 'Output',
            cell: (item: Item) => <Outputs mine={item} theirs={matching.get(item.experimentItemId)} />,
          },
        ]),
    { title: 'Scores', cell: (item) => <ScoreMarks scores={item.scores} /> },
    ...(other === undefined
      ? []
      : [
          {
            title: 'Other scores',
            cell: (item: Item) => <ScoreMarks scores={matching.get(item.experimentItemId)?.scores ?? []} />,
          },
        ]),
    {
      title: 'Latency',
      right: true,
      cell: (item) => duration((Date.parse(item.endTime) - Date.parse(item.startTime)) * 1_000),
    },
  ]
  return (
    <Page
      title={
        <Within list="Experiments" href="/experiments">
          {run?.name ?? id}
        </Within>
      }
      tools={
        <label>
          <span class="dim">beside</span>{' '}
          <select value={other ?? ''} onChange={({ currentTarget }) => go(withQuery({ with: currentTarget.value }))}>
            <option value="">nothing</option>
            {all.data?.data
              .filter((each) => each.id !== id)
              .map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name}
                </option>
              ))}
          </select>
        </label>
      }
    >
      <p class="dim">{run?.description}</p>
      <Table label="Items" columns={columns} rows={mine.data.data} keyOf={(item) => item.id} />
      <CursorPager cursor={mine.data.meta.cursor} word="More" />
    </Page>
  )
}

function itemsUrl(id: string | undefined, cursor?: string): string | undefined {
  if (id === undefined) return undefined
  const parameters = new URLSearchParams({
    experimentId: id,
    limit: '100',
    fields: 'core,io,scores',
    ...(cursor && { cursor }),
  })
  return `/api/public/experiment-items?${SINCE}&${parameters}`
}

function ItemName({ item: { traceId, id, experimentItemId, level } }: { item: Item }) {
  return (
    <>
      <a href={`/traces/${traceId}?observation=${id}`}>{experimentItemId}</a>{' '}
      {level === 'ERROR' && <span class="badge ERROR">error</span>}
    </>
  )
}

function Outputs({ mine, theirs }: { mine: Item; theirs: Item | undefined }) {
  if (!theirs) return <Short value={mine.output} />
  return <Diff before={comparable(theirs.output)} after={comparable(mine.output)} />
}
