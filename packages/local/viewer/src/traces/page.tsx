import { useEffect, useState } from 'preact/hooks'
import type { ListedTrace } from '../../../src/trace/pages/trace-list.ts'
import { compare, subjectOf } from '../compare.ts'
import { Empty, Failed, WaitingForTheFirst } from '../empty.tsx'
import { exact } from '../format.ts'
import { useKeys } from '../keys.ts'
import { go, usePageLocation, withQuery } from '../router.ts'
import { sortingOf } from '../table.tsx'
import { VirtualRows } from '../virtual.tsx'
import { Cells, type ChosenColumns, ColumnChoice, ColumnHeads, useColumns } from './columns.tsx'
import { Chips, FILTERS, Filters, useChoices } from './filters.tsx'
import { useRows } from './rows.ts'

const ROW = 34
const ASKED = [...FILTERS, 'search', 'sort', 'order']

export function TracesPage() {
  const place = usePageLocation()
  const query = new URLSearchParams([...place.query].filter(([name]) => ASKED.includes(name))).toString()
  const rows = useRows(query)
  const choices = useChoices(query)
  const columns = useColumns(choices?.score.map(([name]) => name))
  const [selected, setSelected] = useState(-1)
  const [notice, setNotice] = useState<string>()
  useEffect(() => setSelected(-1), [query])
  const move = (by: number) => setSelected((at) => Math.min(Math.max(0, at + by), (rows.total ?? 1) - 1))
  const open = () => {
    const trace = rows.at(selected)
    if (trace) go(`/traces/${trace.traceId}`)
  }
  useKeys({
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    Enter: open,
    c: () => {
      const trace = rows.at(selected)
      if (trace) setNotice(compare(subjectOf(trace.traceId)))
    },
  })
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
            {rows.total === undefined ? 'loading' : `${exact(rows.total)} ${rows.total === 1 ? 'trace' : 'traces'}`}
          </span>
          <span class="space" />
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
          <VirtualRows
            count={rows.total ?? 0}
            rowHeight={ROW}
            label="Traces"
            role="table"
            shown={selected}
            onRange={rows.see}
            header={<ColumnHeads columns={columns} sorting={sortingOf(place.query, columns.sorts)} />}
            row={(index, style) => (
              <Row
                key={index}
                trace={rows.at(index)}
                columns={columns}
                style={style}
                selected={index === selected}
                index={index}
              />
            )}
          />
        )}
      </section>
    </div>
  )
}

interface RowProps {
  readonly trace: ListedTrace | undefined
  readonly columns: ChosenColumns
  readonly index: number
  readonly style: Readonly<Record<string, string>>
  readonly selected: boolean
}

function Row({ trace, columns, style, selected, index }: RowProps) {
  return (
    <div class={selected ? 'row selected' : 'row'} role="row" tabIndex={-1} style={style} aria-rowindex={index + 1}>
      {trace && <Cells trace={trace} columns={columns} />}
    </div>
  )
}
