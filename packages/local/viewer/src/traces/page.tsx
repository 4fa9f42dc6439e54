import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListedTrace } from '../../../src/trace/pages/trace-list.ts'
import { compare, subjectOf } from '../compare.ts'
import { Empty, Failed, WaitingForTheFirst } from '../empty.tsx'
import { amount, dollars, duration, exact } from '../format.ts'
import { useKeys } from '../keys.ts'
import { go, usePageLocation, withQuery } from '../router.ts'
import { ScoreMarks } from '../scores.tsx'
import { ariaSort, SortButton, type Sorting, sortingOf } from '../table.tsx'
import { Time } from '../time.tsx'
import { VirtualRows } from '../virtual.tsx'
import { Chips, FILTERS, Filters } from './filters.tsx'
import { useRows } from './rows.ts'

const ROW = 34
const ASKED = [...FILTERS, 'search', 'sort', 'order']

const COLUMNS = [
  ['name', 'Name', 'left'],
  ['', 'Input', 'left'],
  ['', 'Output', 'left'],
  ['', 'User, session', 'left'],
  ['', 'Models', 'left'],
  ['', 'Scores', 'left'],
  ['observations', 'Steps', 'right'],
  ['latency', 'Latency', 'right'],
  ['tokens', 'Tokens', 'right'],
  ['cost', 'Cost', 'right'],
  ['time', 'Started', 'right'],
] as const
const SORTS = ['time', ...COLUMNS.flatMap(([name]) => (name === '' ? [] : [name]))]

export function TracesPage() {
  const place = usePageLocation()
  const query = new URLSearchParams([...place.query].filter(([name]) => ASKED.includes(name))).toString()
  const rows = useRows(query)
  const [selected, setSelected] = useState(-1)
  const [notice, setNotice] = useState<string>()
  const search = useRef<HTMLInputElement>(null)
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
    '/': () => search.current?.focus(),
    Escape: () => search.current?.blur(),
  })
  if (rows.total === 0 && query === '') return <WaitingForTheFirst />
  return (
    <div class="list-page">
      <Filters place={place} names={FILTERS} open={['name', 'level']} asked={query} />
      <section class="list" aria-label="Traces">
        <div class="tools">
          <input
            ref={search}
            type="search"
            placeholder="Search names, ids, inputs and outputs ( / )"
            aria-label="Search"
            value={place.query.get('search') ?? ''}
            onInput={({ currentTarget }) => go(withQuery({ search: currentTarget.value }), { replace: true })}
          />
          <span class="dim" role="status">
            {rows.total === undefined ? 'loading' : `${exact(rows.total)} ${rows.total === 1 ? 'trace' : 'traces'}`}
          </span>
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
            header={<Header sorting={sortingOf(place.query, SORTS)} />}
            row={(index, style) => (
              <Row key={index} trace={rows.at(index)} style={style} selected={index === selected} index={index} />
            )}
          />
        )}
      </section>
    </div>
  )
}

function Header({ sorting }: { sorting: Sorting }) {
  return (
    <div class="row head" role="row">
      {COLUMNS.map(([name, title, side]) => (
        <div key={title} role="columnheader" class={side} aria-sort={ariaSort(name, sorting)}>
          {name === '' ? title : <SortButton name={name} title={title} sorting={sorting} />}
        </div>
      ))}
    </div>
  )
}

interface RowProps {
  readonly trace: ListedTrace | undefined
  readonly index: number
  readonly style: Readonly<Record<string, string>>
  readonly selected: boolean
}

function Row({ trace, style, selected, index }: RowProps) {
  if (!trace) return <div class="row" role="row" tabIndex={-1} style={style} aria-rowindex={index + 1} />
  const { traceId, name, level, open, tags, environment, models } = trace
  return (
    <div class={selected ? 'row selected' : 'row'} role="row" tabIndex={-1} style={style} aria-rowindex={index + 1}>
      <div role="cell" class="name">
        <span class={`dot ${level}`} title={level} />
        <a class="cover" href={`/traces/${traceId}`}>
          {name ?? 'no root yet'}
        </a>
        {open && <span class="badge running">running</span>}
        {level === 'ERROR' && <span class="badge ERROR">{trace.errors > 1 ? `${trace.errors} errors` : 'error'}</span>}
        {level === 'WARNING' && <span class="badge WARNING">warning</span>}
        {environment !== 'default' && <span class="badge">{environment}</span>}
        {tags.map((tag) => (
          <span key={tag} class="badge">
            {tag}
          </span>
        ))}
      </div>
      <div role="cell" class="preview cut">
        {trace.question}
      </div>
      <div role="cell" class="preview cut">
        {trace.answer}
      </div>
      <div role="cell" class="who cut">
        {trace.userId !== null && (
          <a href={`/?user=${encodeURIComponent(trace.userId)}`} title={`Traces of user ${trace.userId}`}>
            {trace.userId}
          </a>
        )}
        {trace.sessionId !== null && (
          <a href={`/sessions/${encodeURIComponent(trace.sessionId)}`} class="dim" title={`Session ${trace.sessionId}`}>
            {trace.sessionId}
          </a>
        )}
      </div>
      <div role="cell" class="cut dim">
        {models.join(', ')}
      </div>
      <div role="cell" class="cut">
        <ScoreMarks scores={trace.scores} />
      </div>
      <div role="cell" class="right dim">
        {exact(trace.observations)}
      </div>
      <div role="cell" class="right">
        {duration(trace.endTime - trace.startTime)}
      </div>
      <div role="cell" class="right" title={`${exact(trace.inputTokens)} in, ${exact(trace.outputTokens)} out`}>
        {trace.totalTokens > 0 ? amount(trace.totalTokens) : ''}
      </div>
      <div role="cell" class="right" title={trace.estimated ? 'By the list prices built in' : undefined}>
        {trace.cost === null ? '' : dollars(trace.cost, trace.estimated)}
      </div>
      <div role="cell" class="right">
        <Time micros={trace.startTime} />
      </div>
    </div>
  )
}
