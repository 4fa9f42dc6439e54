import { useAnswer } from '../api.ts'
import { Json } from '../content/json.tsx'
import { Awaited, Copyable, Empty, Failed } from '../empty.tsx'
import { exact } from '../format.ts'
import { type ListPage, Pager, usePage, Within } from '../listing.tsx'
import { useLive } from '../live.ts'
import { usePageLocation, withQuery } from '../router.ts'
import { type Column, Page, Short, Table } from '../table.tsx'
import { Time } from '../time.tsx'

interface Dataset {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly updatedAt: string
}

interface Item {
  readonly id: string
  readonly status: string
  readonly input: unknown
  readonly expectedOutput: unknown
  readonly metadata: unknown
  readonly sourceTraceId: string | null
  readonly sourceObservationId: string | null
  readonly updatedAt: string
}

const CODE =
  "await client.api.datasets.create({ name: 'questions' })\nawait client.dataset.createItem({ datasetName: 'questions', input: 'How long is a refund?' })"
const COLUMNS: readonly Column<Dataset>[] = [
  { title: 'Name', cell: ({ name }) => <a href={`/datasets/${encodeURIComponent(name)}`}>{name}</a> },
  { title: 'Description', cell: ({ description }) => <Short value={description} /> },
  { title: 'Changed', right: true, cell: ({ updatedAt }) => <Time micros={Date.parse(updatedAt) * 1_000} /> },
]

const WORDS: [string, string] = ['Back', 'More']

export function DatasetsPage() {
  const page = usePage()
  const { data, error, reload } = useAnswer<ListPage<Dataset>>(`/api/public/v2/datasets?limit=100&page=${page}`)
  useLive(reload)
  if (data?.meta.totalItems === 0) {
    return (
      <Empty title="No dataset yet">
        <p>A dataset holds inputs, with what one expects of them, that experiments run over:</p>
        <Copyable text={CODE} />
      </Empty>
    )
  }
  return (
    <Page title="Datasets">
      <Awaited data={data} error={error} />
      {data && <Table label="Datasets" columns={COLUMNS} rows={data.data} keyOf={({ id }) => id} />}
      <Pager page={page} more={data && data.meta.totalPages > page} words={WORDS} />
    </Page>
  )
}

export function DatasetPage({ name }: { name: string }) {
  const { query } = usePageLocation()
  const page = usePage()
  const chosen = query.get('item')
  const { data, error, reload } = useAnswer<ListPage<Item>>(
    `/api/public/dataset-items?datasetName=${encodeURIComponent(name)}&limit=100&page=${page}`,
  )
  const item = useAnswer<Item>(chosen === null ? undefined : `/api/public/dataset-items/${encodeURIComponent(chosen)}`)
  useLive(reload)
  const columns: readonly Column<Item>[] = [
    { title: 'Item', cell: ({ id }) => <a href={withQuery({ item: id })}>{id}</a> },
    { title: 'Input', cell: ({ input }) => <Short value={input} /> },
    { title: 'Expected', cell: ({ expectedOutput }) => <Short value={expectedOutput} /> },
    { title: 'Status', cell: ({ status }) => <span class="dim">{status.toLowerCase()}</span> },
    { title: 'Changed', right: true, cell: ({ updatedAt }) => <Time micros={Date.parse(updatedAt) * 1_000} short /> },
  ]
  return (
    <Page
      title={
        <Within list="Datasets" href="/datasets">
          {name} {data && <span class="dim">{exact(data.meta.totalItems)} items</span>}
        </Within>
      }
    >
      <Awaited data={data} error={error} />
      {item.error && <Failed error={item.error} />}
      {item.data && <ItemShown item={item.data} />}
      {data && <Table label="Items" columns={columns} rows={data.data} keyOf={({ id }) => id} />}
      <Pager page={page} more={data && data.meta.totalPages > page} words={WORDS} />
    </Page>
  )
}

function ItemShown({ item }: { item: Item }) {
  const parts: readonly (readonly [title: string, value: unknown])[] = [
    ['Input', item.input],
    ['Expected output', item.expectedOutput],
    ['Metadata', item.metadata],
  ]
  return (
    <section class="card" aria-label="Item">
      <header class="title">
        <h2>{item.id}</h2>
        {item.sourceTraceId !== null && (
          <a
            href={`/traces/${item.sourceTraceId}${item.sourceObservationId === null ? '' : `?observation=${item.sourceObservationId}`}`}
          >
            from a trace
          </a>
        )}
        <span class="space" />
        <a class="dim" href={withQuery({ item: undefined })}>
          Close
        </a>
      </header>
      {parts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([title, value]) => (
          <div key={title}>
            <h3>{title}</h3>
            <Json value={value} />
          </div>
        ))}
    </section>
  )
}
