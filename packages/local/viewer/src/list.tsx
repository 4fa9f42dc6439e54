import { useEffect, useState } from 'preact/hooks'
import { Cells, type ChosenColumns, ColumnHeads } from './columns.tsx'
import { useKeys } from './keys.ts'
import { go } from './router.ts'
import { type Sorting, UNSORTED } from './table.tsx'
import { VirtualRows } from './virtual.tsx'

/** Pixels. */
const ROW = 34

interface Props<Row> {
  readonly label: string
  /** What is listed: of something else, no row is selected yet. */
  readonly of: string
  readonly count: number
  readonly at: (index: number) => Row | undefined
  readonly columns: ChosenColumns<Row>
  readonly sorting?: Sorting
  readonly linkOf: (row: Row) => string
  readonly onRange?: (first: number, last: number) => void
  /** What else is done with the selected row. */
  readonly keys?: Readonly<Record<string, (row: Row) => void>>
}

/** Rows of one line, in columns that are chosen. They are selected by `j` and `k`, and opened by `Enter`. */
export function List<Row>({ label, of, count, at, columns, sorting = UNSORTED, linkOf, onRange, keys }: Props<Row>) {
  const [selected, setSelected] = useState(-1)
  useEffect(() => setSelected(-1), [of])
  const move = (by: number) => () => setSelected((before) => Math.min(Math.max(0, before + by), count - 1))
  const act = (what: (row: Row) => void) => () => {
    const row = at(selected)
    if (row) what(row)
  }
  useKeys({
    j: move(1),
    ArrowDown: move(1),
    k: move(-1),
    ArrowUp: move(-1),
    Enter: act((row) => go(linkOf(row))),
    ...Object.fromEntries(Object.entries(keys ?? {}).map(([key, what]) => [key, act(what)])),
  })
  return (
    <VirtualRows
      count={count}
      rowHeight={ROW}
      label={label}
      role="table"
      shown={selected}
      onRange={onRange}
      header={<ColumnHeads columns={columns} sorting={sorting} />}
      row={(index, style) => {
        const item = at(index)
        return (
          <div
            key={index}
            class={index === selected ? 'row selected' : 'row'}
            role="row"
            tabIndex={-1}
            style={style}
            aria-rowindex={index + 1}
          >
            {item && <Cells item={item} columns={columns} />}
          </div>
        )
      }}
    />
  )
}
