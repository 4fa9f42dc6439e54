import type { ComponentChildren } from 'preact'
import { useRemembered } from './remembered.ts'
import { ariaSort, SortButton, type Sorting } from './table.tsx'

export interface ListColumn<Row> {
  readonly key: string
  readonly title: string
  /** Its name in the URL, when the list can be sorted by it. */
  readonly sort?: string
  /** A track of a CSS grid; pixels once it was dragged. */
  readonly width: string
  readonly kind: string
  /** The width of a window, in pixels, from which it is shown. */
  readonly from: (typeof WINDOWS)[number]
  /** It is shown only where it was chosen. */
  readonly extra?: true
  readonly cell: (row: Row, isShown: (key: string) => boolean) => ComponentChildren
  readonly about?: (row: Row) => string | null
}

/** As the media queries of the style have them. */
const WINDOWS = [0, 600, 900] as const
/** Pixels: the least width of a column, and how far a key moves its edge. */
const [LEAST, STEP] = [40, 16]
/** Of columns that more than one list has. */
export const NAME = { width: 'minmax(min(170px, 28vw), 2fr)', kind: 'name', from: 0 } as const
export const PREVIEW = { width: 'minmax(0, 2fr)', kind: 'preview cut', from: 900 } as const
export const SHORT = { width: 'minmax(70px, 1fr)', kind: 'cut', from: 900 } as const
export const NUMBER = { kind: 'right', from: 600 } as const

const NO_WIDTHS: Readonly<Record<string, number>> = {}

/** The columns that are shown, and how: both are kept in the browser. */
export interface ChosenColumns<Row> {
  /** Those to choose from. */
  readonly all: readonly ListColumn<Row>[]
  readonly shown: readonly ListColumn<Row>[]
  /** What the list can be sorted by, the usual first. */
  readonly sorts: readonly string[]
  readonly isShown: (key: string) => boolean
  readonly toggle: (key: string) => void
  /** Sets a width in pixels; without one it is the usual again. */
  readonly resize: (key: string, width?: number) => void
  /** For the element around the rows. */
  readonly style: Readonly<Record<string, string>>
}

/**
 * @param list its name in what the browser keeps
 * @param columnsFor all columns, where those of these keys were chosen. The first one is always shown.
 */
export function useColumns<Row>(
  list: string,
  columnsFor: (keys: readonly string[]) => readonly ListColumn<Row>[],
): ChosenColumns<Row> {
  const usual = columnsFor([]).flatMap(({ key, extra }) => (extra ? [] : [key]))
  const [keys, setKeys] = useRemembered<readonly string[]>(`svc-columns-${list}`, usual)
  const [widths, setWidths] = useRemembered(`svc-column-widths-${list}`, NO_WIDTHS)
  const all = columnsFor(keys)
  const isShown = (key: string) => key === all[0]?.key || keys.includes(key)
  const shown = all.filter(({ key }) => isShown(key))
  const track = ({ key, width }: ListColumn<Row>) => (widths[key] === undefined ? width : `${widths[key]}px`)
  return {
    all,
    shown,
    sorts: ['time', ...all.flatMap(({ sort }) => sort ?? [])],
    isShown,
    toggle: (key) => setKeys(keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key]),
    resize: (key, width) => {
      const { [key]: _, ...others } = widths
      setWidths(width === undefined ? others : { ...others, [key]: Math.max(LEAST, Math.round(width)) })
    },
    style: Object.fromEntries(
      WINDOWS.map((least) => [
        `--columns-${least}`,
        shown
          .filter(({ from }) => from <= least)
          .map(track)
          .join(' '),
      ]),
    ),
  }
}

export function ColumnChoice<Row>({ all, isShown, toggle }: ChosenColumns<Row>) {
  return (
    <details class="menu">
      <summary>Columns</summary>
      <div>
        {all.slice(1).map(({ key, title }) => (
          <label key={key} class="choice">
            <input type="checkbox" checked={isShown(key)} onChange={() => toggle(key)} />
            {title}
          </label>
        ))}
      </div>
    </details>
  )
}

export function ColumnHeads<Row>({ columns, sorting }: { columns: ChosenColumns<Row>; sorting: Sorting }) {
  return (
    <div class="row head" role="row">
      {columns.shown.map(({ key, title, sort, kind, from }) => (
        <div
          key={key}
          role="columnheader"
          class={`${kind === 'right' ? 'right' : ''} from-${from}`}
          aria-sort={ariaSort(sort, sorting)}
        >
          {sort === undefined ? (
            <div class="cut">{title}</div>
          ) : (
            <SortButton name={sort} title={title} sorting={sorting} />
          )}
          <Grip title={title} onWidth={(width) => columns.resize(key, width)} />
        </div>
      ))}
    </div>
  )
}

/** The right edge of a column: dragged, or moved by the arrows; a double click undoes it. */
function Grip({ title, onWidth }: { title: string; onWidth: (width?: number) => void }) {
  const widthOf = (grip: HTMLElement) => grip.parentElement?.getBoundingClientRect().width ?? 0
  return (
    <button
      type="button"
      class="grip"
      aria-label={`Width of ${title}`}
      onPointerDown={(event) => {
        const grip = event.currentTarget
        const before = widthOf(grip) - event.clientX
        grip.setPointerCapture(event.pointerId)
        grip.onpointermove = ({ clientX }) => onWidth(before + clientX)
        grip.onlostpointercapture = () => {
          grip.onpointermove = null
        }
      }}
      onDblClick={() => onWidth()}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key]
        if (by === undefined) return
        event.preventDefault()
        onWidth(widthOf(event.currentTarget) + by)
      }}
    />
  )
}

export function Cells<Row>({ item, columns: { shown, isShown } }: { item: Row; columns: ChosenColumns<Row> }) {
  return (
    <>
      {shown.map(({ key, kind, from, cell, about }) => (
        <div key={key} role="cell" class={`${kind} from-${from}`} title={about?.(item) ?? undefined}>
          {cell(item, isShown)}
        </div>
      ))}
    </>
  )
}
