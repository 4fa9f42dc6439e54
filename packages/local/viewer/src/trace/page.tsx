import { useCallback, useMemo, useState } from 'preact/hooks'
import type { Outline, TraceOutline } from '../../../src/trace/pages/trace.ts'
import type { ScoreMark } from '../../../src/trace/pages/trace-list.ts'
import { useAnswer } from '../api.ts'
import { compare, subjectOf } from '../compare.ts'
import { Empty, Failed, Loading } from '../empty.tsx'
import { exact } from '../format.ts'
import { useKeys } from '../keys.ts'
import { useLive, useSoon } from '../live.ts'
import { go, lastList, usePageLocation, withQuery } from '../router.ts'
import { DetailPane, findView } from './detail.tsx'
import { Head } from './head.tsx'
import { idsWithout, isTrouble, linesOf, ONLY, pathTo, withRunning } from './rows.ts'
import { Waterfall } from './waterfall.tsx'

/** Milliseconds between two looks at a trace that grows. */
const LOOK = 300
const NONE: readonly Outline[] = []
const NOTHING: readonly string[] = []

export function TracePage({ traceId }: { traceId: string }) {
  const { data, error, reload } = useAnswer<TraceOutline>(`/viewer/traces/${encodeURIComponent(traceId)}`)
  const look = useSoon(reload, LOOK)
  useLive(({ traces, things, all }) => {
    if (all || traces.includes(traceId) || things.length > 0) look()
  })
  if (error && !data) {
    return (
      <Empty title="No such trace">
        <p class="dim">
          It may not have arrived yet: it appears here when it does. <a href="/">All traces</a>
        </p>
        <Failed error={error} />
      </Empty>
    )
  }
  if (!data) return <Loading />
  return <Shown outline={data} />
}

function Shown({ outline }: { outline: TraceOutline }) {
  const { trace, observations = NONE } = outline
  const { query } = usePageLocation()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const wanted = query.get('observation') ?? observations[0]?.id ?? ''
  const only = query.get('only') ?? ''
  const { nodes, running } = useMemo(() => withRunning(observations, trace), [observations, trace])
  const lines = useMemo(() => {
    const path = pathTo(nodes, wanted)
    const shut = new Set([...closed].filter((id) => !path.has(id)))
    const fits = Object.hasOwn(ONLY, only) ? ONLY[only]?.[1](observations) : undefined
    // What is selected, also by a search, is shown whatever the tree is narrowed to.
    return linesOf(nodes, shut, fits && ((node) => node.id === wanted || fits(node)))
  }, [nodes, observations, closed, wanted, only])
  const text = query.get('find') ?? ''
  const { data: found = NOTHING } = useAnswer<readonly string[]>(
    text === ''
      ? undefined
      : `/viewer/traces/${encodeURIComponent(trace.traceId)}/found?text=${encodeURIComponent(text)}`,
  )
  const hits = useMemo(() => new Set(found), [found])
  const selected = lines.findIndex(({ node }) => node.id === wanted)
  const scores = useMemo(() => byObservation(outline.scores), [outline.scores])
  const select = useCallback((id: string | undefined) => {
    if (id !== undefined) go(withQuery({ observation: id }), { replace: true })
  }, [])
  const toggle = (id: string, open?: boolean) =>
    setClosed((closed) => {
      const next = new Set(closed)
      if (open ?? closed.has(id)) next.delete(id)
      else next.add(id)
      return next
    })
  const move = (by: number) => select(lines[Math.min(Math.max(0, selected + by), lines.length - 1)]?.node.id)
  const view = findView(query.get('view'))
  const [notice, setNotice] = useState<string>()
  const mark = () => setNotice(compare(subjectOf(trace.traceId, wanted)))
  useKeys({
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    ArrowLeft: () => toggle(wanted, false),
    ArrowRight: () => toggle(wanted, true),
    e: () =>
      select(
        nextTrouble(
          lines.map(({ node }) => node),
          selected,
        ),
      ),
    r: () => go(withQuery({ view: view === 'json' ? undefined : 'json' }), { replace: true }),
    c: mark,
    Escape: () => go(lastList.url),
  })
  return (
    <div class="trace-page">
      <Head outline={outline} marks={scores.get(null) ?? []} onCompare={mark} notice={notice} onNotice={setNotice} />
      <div class="trace-panes">
        <section class="trace-tree" aria-label="Tree and waterfall">
          <div class="tools">
            <form
              onSubmit={(event) => {
                event.preventDefault()
                select(found[(found.indexOf(wanted) + 1) % found.length])
              }}
            >
              <input
                type="search"
                placeholder="Find ( / )"
                aria-label="Find in this trace"
                value={text}
                onInput={({ currentTarget }) => go(withQuery({ find: currentTarget.value }), { replace: true })}
              />
            </form>
            <span class="dim" role="status">
              {text === '' ? '' : `${exact(found.length)} found`}
            </span>
            <select
              aria-label="Show"
              value={only}
              onChange={({ currentTarget }) => go(withQuery({ only: currentTarget.value }), { replace: true })}
            >
              <option value="">All steps</option>
              {Object.entries(ONLY).map(([name, [title]]) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
            <button type="button" class="quiet" onClick={() => setClosed(new Set(nodes.map(({ id }) => id)))}>
              Collapse
            </button>
            <button type="button" class="quiet" onClick={() => setClosed(new Set())}>
              Expand
            </button>
            <button type="button" class="quiet" onClick={() => setClosed(idsWithout(nodes, isTrouble))}>
              To errors
            </button>
          </div>
          <Waterfall
            lines={lines}
            begin={trace.startTime}
            end={trace.endTime}
            selected={selected}
            hits={hits}
            running={running}
            scores={scores}
            onToggle={toggle}
          />
        </section>
        {selected >= 0 && running.has(wanted) && (
          <section class="detail" aria-label="Observation">
            <p class="loading dim">
              <span class="pulse" /> This step runs. What it was given and what it answers arrives when it ends.
            </p>
          </section>
        )}
        {selected >= 0 && !running.has(wanted) && (
          <DetailPane
            traceId={trace.traceId}
            id={wanted}
            scores={scores.get(wanted) ?? []}
            view={view}
            onNotice={setNotice}
          />
        )}
      </div>
    </div>
  )
}

/** The next observation after one that failed, or else that warns; the first one after the last. */
function nextTrouble(nodes: readonly Outline[], from: number): string | undefined {
  const order = [...nodes.slice(from + 1), ...nodes.slice(0, from + 1)]
  return order.find(isTrouble)?.id
}

function byObservation(scores: readonly ScoreMark[]): ReadonlyMap<string | null, readonly ScoreMark[]> {
  const map = new Map<string | null, ScoreMark[]>()
  for (const score of scores) map.set(score.observationId, [...(map.get(score.observationId) ?? []), score])
  return map
}
