import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  readonly title: string
  readonly right?: boolean
  readonly cell: (row: Row) => ComponentChildren
}

interface Props<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

/** A plain table, for lists of hundreds. */
export function Table<Row>({ label, columns, rows, keyOf }: Props<Row>) {
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, right }) => (
            <th key={title} class={right ? 'right' : undefined} scope="col">
              {title}
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
