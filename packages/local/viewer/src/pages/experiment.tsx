import type { ListedRun, RunItem } from '../../../src/trace/pages/experiments.ts'
import { useAnswer } from '../api.ts'
import { comparable, Diff } from '../content/diff.tsx'
import { Empty, Failed, Loading } from '../empty.tsx'
import { dollars, duration, exact, rounded } from '../format.ts'
import { Within } from '../listing.tsx'
import { useLive } from '../live.ts'
import { useRemembered } from '../remembered.ts'
import { go, usePageLocation, withQuery } from '../router.ts'
import { ScoreMarks } from '../scores.tsx'
import { type Column, Page, Short, Table } from '../table.tsx'
import { changesOf, type ItemPair, isDifferent, isWorse, type ScoreChange } from './score-change.ts'

const NONE: readonly string[] = []
/** Which items are shown, by the name in the URL. */
const SHOW: Readonly<
  Record<string, readonly [title: string, fits: (pair: ItemPair, smaller: readonly string[]) => boolean]>
> = {
  failed: ['Only failed', ({ mine }) => mine.failed],
  worse: ['Only worse', isWorse],
  different: ['Only different', isDifferent],
}

/** One run, or two of them side by side: what each made of an item, and how it was scored. */
export function ExperimentPage({ id }: { id: string }) {
  const { query } = usePageLocation()
  const other = query.get('with') ?? undefined
  const show = query.get('show') ?? ''
  const [smaller, setSmaller] = useRemembered('svc-smaller-is-better', NONE)
  const all = useAnswer<readonly ListedRun[]>('/viewer/experiments')
  const [mine, theirs] = [useAnswer<readonly RunItem[]>(itemsUrl(id)), useAnswer<readonly RunItem[]>(itemsUrl(other))]
  useLive(() => {
    for (const answer of [all, mine, ...(other === undefined ? [] : [theirs])]) answer.reload()
  })
  const error = mine.error ?? theirs.error
  if (error) return <Failed error={error} />
  if (!mine.data || (other !== undefined && !theirs.data)) return <Loading />
  if (mine.data.length === 0) return <Empty title="No such experiment" />
  const matching = new Map(theirs.data?.map((item) => [item.itemId, item]))
  const pairs = mine.data.map((item): ItemPair => ({ mine: item, theirs: matching.get(item.itemId) }))
  const fits = Object.hasOwn(SHOW, show) ? SHOW[show]?.[1] : undefined
  const shown = fits ? pairs.filter((pair) => fits(pair, smaller)) : pairs
  const run = all.data?.find((each) => each.id === id)
  const before = all.data?.find((each) => each.id === other)
  return (
    <Page
      title={
        <Within list="Experiments" href="/experiments">
          {run?.name ?? id}
        </Within>
      }
      tools={
        <>
          <select
            aria-label="Show"
            value={show}
            onChange={({ currentTarget }) => go(withQuery({ show: currentTarget.value }))}
          >
            <option value="">All items</option>
            {Object.entries(SHOW).map(([name, [title]]) => (
              <option key={name} value={name} disabled={other === undefined && name !== 'failed'}>
                {title}
              </option>
            ))}
          </select>
          <label>
            <span class="dim">beside</span>{' '}
            <select value={other ?? ''} onChange={({ currentTarget }) => go(withQuery({ with: currentTarget.value }))}>
              <option value="">nothing</option>
              {all.data
                ?.filter((each) => each.id !== id)
                .map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.name}
                  </option>
                ))}
            </select>
          </label>
        </>
      }
    >
      <p class="dim">{run?.description}</p>
      {run && <Sums run={run} before={before} smaller={smaller} onSmaller={setSmaller} />}
      <p class="dim" role="status">
        {exact(shown.length)} of {exact(run?.items ?? pairs.length)} items
      </p>
      <Table
        label="Items"
        columns={other === undefined ? ALONE : [...BESIDE, changeColumn(smaller), LATENCY]}
        rows={shown}
        keyOf={({ mine }) => mine.id}
      />
    </Page>
  )
}

const itemsUrl = (id: string | undefined) =>
  id === undefined ? undefined : `/viewer/experiments/${encodeURIComponent(id)}/items`

const ASKED: readonly Column<ItemPair>[] = [
  { title: 'Item', cell: ({ mine }) => <ItemName item={mine} /> },
  { title: 'Input', cell: ({ mine }) => <Short value={mine.input} /> },
  { title: 'Expected', cell: ({ mine }) => <Short value={mine.expected} /> },
]
const LATENCY: Column<ItemPair> = { title: 'Latency', right: true, cell: ({ mine }) => duration(mine.latency) }
const ALONE: readonly Column<ItemPair>[] = [
  ...ASKED,
  { title: 'Output', cell: ({ mine }) => <Short value={mine.output} /> },
  { title: 'Scores', cell: ({ mine }) => <ScoreMarks scores={mine.scores} /> },
  LATENCY,
]
const BESIDE: readonly Column<ItemPair>[] = [
  ...ASKED,
  {
    title: 'Output',
    cell: ({ mine, theirs }) =>
      theirs ? (
        <Diff unit="word" before={comparable(theirs.output)} after={comparable(mine.output)} />
      ) : (
        <>
          <Short value={mine.output} /> <span class="badge">new item</span>
        </>
      ),
  },
]

const changeColumn = (smaller: readonly string[]): Column<ItemPair> => ({
  title: 'Scores',
  cell: (pair) => changesOf(pair, smaller).map((change) => <Change key={change.name} change={change} />),
})

const SIGNS = { better: '▲', worse: '▼', other: '≠', same: '' }

function Change({ change: { name, before, after, kind } }: { change: ScoreChange }) {
  return (
    <span class={`badge score ${kind}`}>
      {name} {before === after ? <b>{after}</b> : <b>{`${before ?? 'none'} → ${after ?? 'none'}`}</b>}
      {kind !== 'same' && <span title={kind}>{` ${SIGNS[kind]} ${kind}`}</span>}
    </span>
  )
}

function ItemName({ item: { traceId, id, itemId, failed } }: { item: RunItem }) {
  return (
    <>
      <a href={`/traces/${traceId}?observation=${id}`}>{itemId}</a> {failed && <span class="badge ERROR">error</span>}
    </>
  )
}

interface SumsProps {
  readonly run: ListedRun
  readonly before: ListedRun | undefined
  /** Names of the scores of which a smaller one is better. */
  readonly smaller: readonly string[]
  readonly onSmaller: (names: readonly string[]) => void
}

/** The averages of a run, beside those of the other one. */
function Sums({ run, before, smaller, onSmaller }: SumsProps) {
  const facts: readonly (readonly [name: string, read: (run: ListedRun) => string])[] = [
    ['Failed', ({ failed, items }) => `${exact(failed)} of ${exact(items)}`],
    ['Latency', ({ latency }) => duration(latency)],
    ['Cost', ({ cost, estimated }) => (cost === null ? '' : dollars(cost, estimated))],
  ]
  const turn = (name: string) =>
    onSmaller(smaller.includes(name) ? smaller.filter((each) => each !== name) : [...smaller, name])
  const beside = (value: string, other: string | undefined) =>
    other === undefined || other === value ? value : `${other} → ${value}`
  return (
    <dl class="facts-line">
      {facts
        .map(([name, read]) => [name, beside(read(run), before && read(before))] as const)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt> <dd>{value}</dd>
          </div>
        ))}
      {Object.entries(run.averages).map(([name, average]) => (
        <div key={name}>
          <dt>{name}</dt>{' '}
          <dd>
            {beside(
              rounded(average),
              before?.averages[name] === undefined ? undefined : rounded(before.averages[name]),
            )}{' '}
            <button type="button" class="quiet" title="Turn" onClick={() => turn(name)}>
              {smaller.includes(name) ? 'smaller is better' : 'larger is better'}
            </button>
          </dd>
        </div>
      ))}
    </dl>
  )
}
