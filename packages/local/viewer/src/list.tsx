import { useRef, useState } from 'preact/hooks'
import { Cells, type ChosenColumns, ColumnHeads } from './columns.tsx'
import { useKeys } from './keys.ts'
import { go } from './router.ts'
import { type Sorting, UNSORTED } from './table.tsx'
import { VirtualRows } from './virtual.tsx'

/** Pixels. */
const ROW = 34

interface Props<Row> {
  readonly label: string
  readonly count: number
  readonly at: (index: number) => Row | undefined
  readonly columns: ChosenColumns<Row>
  readonly sorting?: Sorting
  readonly linkOf: (row: Row) => string
  readonly onRange?: (first: number, last: number) => void
  /** What else is done with the selected row. */
  readonly keys?: Readonly<Record<string, (row: Row) => void>>
  /** Rows that are ticked, by a box before each or by `x`. */
  readonly ticks?: { readonly has: (row: Row) => boolean; readonly toggle: (row: Row) => void } | undefined
}

/** Rows of one line, in columns that are chosen. They are selected by `j` and `k`, and opened by `Enter`. */
export function List<Row>(props: Props<Row>) {
  const { label, count, at, columns, sorting = UNSORTED, linkOf, onRange, keys, ticks } = props
  // Read at once, where state is that of the last drawing: keys may come faster than rows are drawn.
  const selection = useRef(-1)
  const [selected, draw] = useState(-1)
  const move = (by: number) => () => {
    selection.current = Math.min(Math.max(0, selection.current + by), count - 1)
    draw(selection.current)
  }
  const act = (what: (row: Row) => void) => () => {
    const row = at(selection.current)
    if (row) what(row)
  }
  useKeys({
    j: move(1),
    ArrowDown: move(1),
    k: move(-1),
    ArrowUp: move(-1),
    Enter: act((row) => go(linkOf(row))),
    ...(ticks && { x: act(ticks.toggle) }),
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
            {item && ticks && (
              <div role="cell" class="tick">
                <input
                  type="checkbox"
                  aria-label={`Select row ${index + 1}`}
                  checked={ticks.has(item)}
                  onChange={({ currentTarget }) => {
                    ticks.toggle(item)
                    // Keys are the list's again.
                    currentTarget.blur()
                  }}
                />
              </div>
            )}
            {item && <Cells item={item} columns={columns} />}
          </div>
        )
      }}
    />
  )
}
