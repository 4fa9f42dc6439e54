import type { ComponentChildren } from 'preact'
import type { ListedTrace } from '../../../src/trace/pages/trace-list.ts'
import { amount, dollars, duration, exact } from '../format.ts'
import { useRemembered } from '../remembered.ts'
import { meanScore, SCORE, ScoreMarks } from '../scores.tsx'
import { ariaSort, SortButton, type Sorting } from '../table.tsx'
import { Time } from '../time.tsx'

interface TraceColumn {
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
  readonly cell: (trace: ListedTrace, isShown: (key: string) => boolean) => ComponentChildren
  readonly about?: (trace: ListedTrace) => string | undefined
}

/** As the media queries of the style have them. */
const WINDOWS = [0, 600, 900] as const
/** Pixels: the least width of a column, and how far a key moves its edge. */
const [LEAST, STEP] = [40, 16]
const PREVIEW = { width: 'minmax(0, 2fr)', kind: 'preview cut', from: 900 } as const
const SHORT = { width: 'minmax(70px, 1fr)', kind: 'cut', from: 900 } as const
const NUMBER = { kind: 'right', from: 600 } as const

/** The first one is always shown. */
const COLUMNS: readonly TraceColumn[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    width: 'minmax(min(170px, 28vw), 2fr)',
    kind: 'name',
    from: 0,
    cell: nameCell,
  },
  { key: 'input', title: 'Input', ...PREVIEW, cell: ({ question }) => question },
  { key: 'output', title: 'Output', ...PREVIEW, cell: ({ answer }) => answer },
  { key: 'who', title: 'User, session', width: 'minmax(60px, 1fr)', kind: 'who cut', from: 600, cell: whoCell },
  { key: 'environment', title: 'Environment', ...SHORT, extra: true, cell: ({ environment }) => environment },
  { key: 'tags', title: 'Tags', ...SHORT, extra: true, cell: ({ tags }) => tags.map(badge) },
  { key: 'models', title: 'Models', ...SHORT, kind: 'cut dim', cell: ({ models }) => models.join(', ') },
  { key: 'scores', title: 'Scores', ...SHORT, cell: ({ scores }) => <ScoreMarks scores={scores} /> },
  {
    ...{ key: 'steps', title: 'Steps', sort: 'observations', width: '42px', ...NUMBER, kind: 'right dim', from: 900 },
    cell: ({ observations }) => exact(observations),
  },
  {
    ...{ key: 'latency', title: 'Latency', sort: 'latency', width: '64px', ...NUMBER, from: 0 },
    cell: ({ startTime, endTime }) => duration(endTime - startTime),
  },
  {
    ...{ key: 'tokens', title: 'Tokens', sort: 'tokens', width: '52px', ...NUMBER, from: 900 },
    about: ({ inputTokens, outputTokens }) => `${exact(inputTokens)} in, ${exact(outputTokens)} out`,
    cell: ({ totalTokens }) => (totalTokens > 0 ? amount(totalTokens) : ''),
  },
  {
    ...{ key: 'cost', title: 'Cost', sort: 'cost', width: '72px', ...NUMBER },
    about: ({ estimated }) => (estimated ? 'By the list prices built in' : undefined),
    cell: ({ cost, estimated }) => (cost === null ? '' : dollars(cost, estimated)),
  },
  {
    ...{ key: 'time', title: 'Started', sort: 'time', width: '160px', ...NUMBER, from: 0 },
    cell: ({ startTime }) => <Time micros={startTime} />,
  },
]

/** Of one score. It is shown where it was chosen. */
const scoreColumn = (key: string): TraceColumn => ({
  ...{ key, title: key.slice(SCORE.length), sort: key, width: '72px', ...NUMBER, from: 900, extra: true },
  cell: ({ scores }) => meanScore(scores.filter(({ name }) => SCORE + name === key)),
})

const USUAL = COLUMNS.flatMap(({ key, extra }) => (extra ? [] : [key]))
const NO_WIDTHS: Readonly<Record<string, number>> = {}

/** The columns that are shown, and how: both are kept in the browser. */
export interface ChosenColumns {
  /** Those to choose from. */
  readonly all: readonly TraceColumn[]
  readonly shown: readonly TraceColumn[]
  /** What the list can be sorted by, the usual first. */
  readonly sorts: readonly string[]
  readonly isShown: (key: string) => boolean
  readonly toggle: (key: string) => void
  /** Sets a width in pixels; without one it is the usual again. */
  readonly resize: (key: string, width?: number) => void
  /** For the element around the rows. */
  readonly style: Readonly<Record<string, string>>
}

/** @param scores names of scores that traces have */
export function useColumns(scores: readonly string[] = []): ChosenColumns {
  const [keys, setKeys] = useRemembered<readonly string[]>('svc-columns', USUAL)
  const [widths, setWidths] = useRemembered('svc-column-widths', NO_WIDTHS)
  const isShown = (key: string) => key === COLUMNS[0]?.key || keys.includes(key)
  const scoreKeys = [...keys.filter((key) => key.startsWith(SCORE)), ...scores.map((name) => SCORE + name)]
  const ofScores = [...new Set(scoreKeys)].map(scoreColumn)
  const all = COLUMNS.flatMap((column) => (column.key === 'scores' ? [column, ...ofScores] : column))
  const shown = all.filter(({ key }) => isShown(key))
  const track = ({ key, width }: TraceColumn) => (widths[key] === undefined ? width : `${widths[key]}px`)
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

export function ColumnChoice({ all, isShown, toggle }: ChosenColumns) {
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

export function ColumnHeads({ columns, sorting }: { columns: ChosenColumns; sorting: Sorting }) {
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

export function Cells({ trace, columns: { shown, isShown } }: { trace: ListedTrace; columns: ChosenColumns }) {
  return (
    <>
      {shown.map(({ key, kind, from, cell, about }) => (
        <div key={key} role="cell" class={`${kind} from-${from}`} title={about?.(trace)}>
          {cell(trace, isShown)}
        </div>
      ))}
    </>
  )
}

const badge = (text: string) => (
  <span key={text} class="badge">
    {text}
  </span>
)

function nameCell(
  { traceId, name, level, open, errors, tags, environment }: ListedTrace,
  isShown: (key: string) => boolean,
) {
  return (
    <>
      <span class={`dot ${level}`} title={level} />
      <a class="cover" href={`/traces/${traceId}`}>
        {name ?? 'no root yet'}
      </a>
      {open && <span class="badge running">running</span>}
      {level === 'ERROR' && <span class="badge ERROR">{errors > 1 ? `${errors} errors` : 'error'}</span>}
      {level === 'WARNING' && <span class="badge WARNING">warning</span>}
      {environment !== 'default' && !isShown('environment') && badge(environment)}
      {!isShown('tags') && tags.map(badge)}
    </>
  )
}

function whoCell({ userId, sessionId }: ListedTrace) {
  return (
    <>
      {userId !== null && (
        <a href={`/?user=${encodeURIComponent(userId)}`} title={`Traces of user ${userId}`}>
          {userId}
        </a>
      )}
      {sessionId !== null && (
        <a href={`/sessions/${encodeURIComponent(sessionId)}`} class="dim" title={`Session ${sessionId}`}>
          {sessionId}
        </a>
      )}
    </>
  )
}
