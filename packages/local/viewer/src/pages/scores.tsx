import { useAnswer } from '../api.ts'
import { Awaited, Copyable, Empty } from '../empty.tsx'
import { CursorPager, type ListPage } from '../listing.tsx'
import { useLive } from '../live.ts'
import { go, usePageLocation, withQuery } from '../router.ts'
import { type ShownScore, scoreValue } from '../scores.tsx'
import { type Column, Page, Short, Table } from '../table.tsx'
import { Time } from '../time.tsx'

interface Score extends ShownScore {
  readonly source: string
  readonly timestamp: string
  readonly subject: { readonly kind: string; readonly id: string; readonly traceId?: string }
}

const CODE = "client.score.create({ traceId, name: 'helpful', value: 1, dataType: 'BOOLEAN' })"

export function ScoresPage() {
  const { query } = usePageLocation()
  const name = query.get('name') ?? ''
  const cursor = query.get('cursor') ?? ''
  const parameters = new URLSearchParams({
    limit: '100',
    fields: 'details,subject',
    ...(name && { name }),
    ...(cursor && { cursor }),
  })
  const { data, error, reload } = useAnswer<ListPage<Score>>(`/api/public/v3/scores?${parameters}`)
  useLive(({ things, all }) => {
    if (all || things.length > 0) reload()
  })
  if (data?.data.length === 0 && name === '' && cursor === '') {
    return (
      <Empty title="No score yet">
        <p>A score says how good an answer was. Add one by hand beside any trace, or from code:</p>
        <Copyable text={CODE} />
      </Empty>
    )
  }
  const columns: readonly Column<Score>[] = [
    { title: 'Name', cell: (score) => <a href={`/scores?name=${encodeURIComponent(score.name)}`}>{score.name}</a> },
    { title: 'Value', cell: (score) => <b>{scoreValue(score)}</b> },
    { title: 'Kind', cell: ({ dataType }) => <span class="dim">{dataType.toLowerCase()}</span> },
    { title: 'Of', cell: ({ subject }) => <Subject {...subject} /> },
    { title: 'Comment', cell: ({ comment }) => <Short value={comment} /> },
    { title: 'Source', cell: ({ source }) => <span class="dim">{source}</span> },
    { title: 'When', right: true, cell: ({ timestamp }) => <Time micros={Date.parse(timestamp) * 1_000} /> },
  ]
  return (
    <Page
      title="Scores"
      tools={
        <input
          type="search"
          aria-label="Name"
          placeholder="Name"
          value={name}
          onChange={({ currentTarget }) => go(withQuery({ name: currentTarget.value, cursor: undefined }))}
        />
      }
    >
      <Awaited data={data} error={error} />
      {data && <Table label="Scores" columns={columns} rows={data.data} keyOf={({ id }) => id} />}
      <CursorPager cursor={data?.meta.cursor} word="Older" />
    </Page>
  )
}

function Subject({ kind, id, traceId }: Score['subject']) {
  if (kind === 'observation') {
    return <a href={`/traces/${traceId}?observation=${encodeURIComponent(id)}`}>observation {id.slice(0, 8)}</a>
  }
  if (kind === 'trace') return <a href={`/traces/${encodeURIComponent(id)}`}>trace {id.slice(0, 8)}</a>
  return <a href={`/${kind}s/${encodeURIComponent(id)}`}>{`${kind} ${id.slice(0, 24)}`}</a>
}
