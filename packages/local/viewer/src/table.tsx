import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useKeys } from './keys.ts'
import { go, withQuery } from './router.ts'

/** By which column a table is sorted, as the URL has it. */
export interface Sorting {
  readonly sort: string
  readonly order: 'asc' | 'desc'
}

/** @param names the columns that can be sorted by. The first one is the default. */
export function sortingOf(query: URLSearchParams, names: readonly string[]): Sorting {
  const [otherwise = ''] = names
  const sort = query.get('sort') ?? otherwise
  return { sort: names.includes(sort) ? sort : otherwise, order: query.get('order') === 'asc' ? 'asc' : 'desc' }
}

/** The `aria-sort` of a column header. */
export function ariaSort(name: string | undefined, { sort, order }: Sorting): 'ascending' | 'descending' | undefined {
  if (name !== sort) return undefined
  return order === 'desc' ? 'descending' : 'ascending'
}

/** A column title that sorts by its column, and on the next click the other way round. */
export function SortButton({ name, title, sorting }: { name: string; title: string; sorting: Sorting }) {
  const sorted = name === sorting.sort
  const order = sorted && sorting.order === 'desc' ? 'asc' : 'desc'
  return (
    <button type="button" class="quiet" onClick={() => go(withQuery({ sort: name, order }))}>
      {`${title}${sorted ? (sorting.order === 'desc' ? ' ↓' : ' ↑') : ''}`}
    </button>
  )
}

export interface Column<Row> {
  readonly title: string
  readonly right?: boolean
  /** Its name in the URL, when the table can be sorted by it. */
  readonly sort?: string
  readonly cell: (row: Row) => ComponentChildren
}

interface Props<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** The order of `rows`. */
  readonly sorting?: Sorting
}

export const UNSORTED: Sorting = { sort: '', order: 'desc' }

/** A plain table, for lists of hundreds. `j` and `k` go from the link of a row to that of the next. */
export function Table<Row>({ label, columns, rows, keyOf, sorting = UNSORTED }: Props<Row>) {
  const table = useRef<HTMLTableElement>(null)
  const move = (by: number) => () => {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('td:first-child a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    links[Math.min(Math.max(0, at + by), links.length - 1)]?.focus()
  }
  useKeys({ j: move(1), k: move(-1) })
  return (
    <table aria-label={label} ref={table}>
      <thead>
        <tr>
          {columns.map(({ title, right, sort }) => (
            <th key={title} class={right ? 'right' : undefined} scope="col" aria-sort={ariaSort(sort, sorting)}>
              {sort === undefined ? title : <SortButton name={sort} title={title} sorting={sorting} />}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, right, cell }) => (
              <td key={title} class={right ? 'right' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The frame of a page that scrolls as a whole. */
export function Page({
  title,
  tools,
  children,
}: {
  title: ComponentChildren
  tools?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <div class="page" tabIndex={0}>
      <div class="title">
        <h1>{title}</h1>
        <span class="space" />
        {tools}
      </div>
      {children}
    </div>
  )
}

/** Text that is one line long, and whole when the pointer rests on it. */
export function Short({ value }: { value: unknown }) {
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
  return (
    <span class="short" title={text.slice(0, 2_000)}>
      {text.slice(0, 300)}
    </span>
  )
}
