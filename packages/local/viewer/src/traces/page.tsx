import { useState } from 'preact/hooks'
import { AddToDataset } from '../add-to-dataset.tsx'
import { ColumnChoice, useColumns } from '../columns.tsx'
import { compare, subjectOf } from '../compare.ts'
import { Empty, Failed, WaitingForTheFirst } from '../empty.tsx'
import { exact } from '../format.ts'
import { List } from '../list.tsx'
import { go, lastList, usePageLocation, withQuery } from '../router.ts'
import { sortingOf } from '../table.tsx'
import { traceColumns } from './columns.tsx'
import { Chips, FILTERS, Filters, useChoices } from './filters.tsx'
import { useRows } from './rows.ts'

const ASKED = [...FILTERS, 'search', 'sort', 'order']

export function TracesPage() {
  const place = usePageLocation()
  lastList.url = withQuery({})
  const query = new URLSearchParams([...place.query].filter(([name]) => ASKED.includes(name))).toString()
  const rows = useRows(query)
  const choices = useChoices(query)
  const columns = useColumns('traces', traceColumns(choices?.score.map(([name]) => name)))
  const [notice, setNotice] = useState<string>()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  if (rows.total === 0 && query === '') return <WaitingForTheFirst />
  return (
    <div class="list-page">
      <Filters place={place} names={FILTERS} open={['name', 'level']} choices={choices} />
      <section class="list" aria-label="Traces" style={columns.style}>
        <div class="tools">
          <input
            type="search"
            placeholder="Search names, ids, inputs and outputs ( / )"
            aria-label="Search"
            value={place.query.get('search') ?? ''}
            onInput={({ currentTarget }) => go(withQuery({ search: currentTarget.value }), { replace: true })}
          />
          <span class="dim" role="status">
            {rows.total === undefined || rows.stale
              ? 'loading'
              : `${exact(rows.total)} ${rows.total === 1 ? 'trace' : 'traces'}`}
          </span>
          <span class="space" />
          {ticked.size > 0 && (
            <AddToDataset
              sources={[...ticked].map((traceId) => ({ traceId }))}
              onAdded={(done) => {
                setTicked(new Set())
                setNotice(done)
              }}
            />
          )}
          <ColumnChoice {...columns} />
        </div>
        {notice !== undefined && (
          <span class="dim notice" role="status">
            {notice}
          </span>
        )}
        <Chips place={place} names={FILTERS} />
        {rows.error && <Failed error={rows.error} />}
        {rows.total === 0 ? (
          <Empty title="No trace fits">
            <p class="dim">Traces that fit appear here as they arrive.</p>
          </Empty>
        ) : (
          <List
            key={query}
            label="Traces"
            count={rows.total ?? 0}
            at={rows.at}
            columns={columns}
            sorting={sortingOf(place.query, columns.sorts)}
            linkOf={({ traceId }) => `/traces/${traceId}`}
            onRange={rows.see}
            ticks={{
              has: ({ traceId }) => ticked.has(traceId),
              toggle: ({ traceId }) => setTicked((before) => toggled(before, traceId)),
            }}
            keys={{ c: ({ traceId }) => setNotice(compare(subjectOf(traceId))) }}
          />
        )}
      </section>
    </div>
  )
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}
