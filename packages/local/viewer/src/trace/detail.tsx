import type { ComponentChildren } from 'preact'
import type { Detail } from '../../../src/trace/pages/trace.ts'
import type { ScoreMark } from '../../../src/trace/pages/trace-list.ts'
import { AddToDataset } from '../add-to-dataset.tsx'
import { useAnswer, useLast } from '../api.ts'
import { Json } from '../content/json.tsx'
import { Copy, Failed, Loading } from '../empty.tsx'
import { dollars, duration, exact } from '../format.ts'
import { PlaygroundLink } from '../pages/playground.tsx'
import { go, withQuery } from '../router.ts'
import { AddScore, ScoreMarks } from '../scores.tsx'
import { Half, Section } from './half.tsx'
import { SpanView } from './span.tsx'

interface Props {
  readonly traceId: string
  readonly id: string
  readonly scores: readonly ScoreMark[]
  readonly view: DetailView
  readonly onNotice: (notice: string) => void
}

/** Ways to show an observation, as the URL names them: formatted, as JSON, and the span that it was made of. */
const VIEWS = [
  [undefined, 'Formatted'],
  ['json', 'JSON'],
  ['span', 'Span'],
] as const
export type DetailView = (typeof VIEWS)[number][0]

/** Finds the view that a URL names. */
export const findView = (name: string | null): DetailView => VIEWS.find(([view]) => view === name)?.[0]

export function DetailPane({ traceId, id, ...rest }: Props) {
  const url = `/viewer/traces/${encodeURIComponent(traceId)}/observations/${encodeURIComponent(id)}`
  const { data, error } = useAnswer<Detail>(url)
  const detail = useLast(data)
  return (
    <section class="detail" aria-label="Observation">
      {error ? <Failed error={error} /> : detail ? <Shown detail={detail} {...rest} /> : <Loading />}
    </section>
  )
}

function Shown({ detail, scores, view, onNotice }: { detail: Detail } & Omit<Props, 'traceId' | 'id'>) {
  const { name, type, level, statusMessage } = detail
  const about = { traceId: detail.traceId, observationId: detail.id }
  return (
    <>
      <header class="detail-head">
        <div class="title">
          <span class={`kind ${type}`}>{type}</span>
          <h2 class="cut">{name}</h2>
          {level !== 'DEFAULT' && <span class={`badge ${level}`}>{level.toLowerCase()}</span>}
          <span class="space" />
          <fieldset class="switch">
            <legend class="hidden">View</legend>
            {VIEWS.map(([each, title]) => (
              <button
                key={title}
                type="button"
                aria-pressed={each === view}
                onClick={() => go(withQuery({ view: each }), { replace: true })}
              >
                {title}
              </button>
            ))}
          </fieldset>
        </div>
        <Facts detail={detail} />
        <div class="scores-line">
          <ScoreMarks scores={scores} />
          <AddScore about={about} />
          <AddToDataset sources={[about]} onAdded={onNotice} />
          {type === 'GENERATION' && <PlaygroundLink detail={detail} />}
        </div>
        {statusMessage !== null && statusMessage !== '' && <pre class={`status ${level}`}>{statusMessage}</pre>}
      </header>
      {view === 'json' && <Raw detail={detail} />}
      {view === 'span' && <SpanView traceId={detail.traceId} id={detail.id} />}
      {view === undefined && <Formatted detail={detail} />}
    </>
  )
}

function Facts({ detail }: { detail: Detail }) {
  const { model, tokens, usage, cost, estimated, costs, promptName, promptVersion, completionStartTime: first } = detail
  const kinds = Object.entries(usage).filter(([kind]) => kind !== 'total')
  const facts: [string, ComponentChildren][] = [
    ['Latency', duration(detail.endTime - detail.startTime)],
    ['First token', first === null ? null : duration(first - detail.startTime)],
    ['Model', model],
    ['Tokens', tokens.total > 0 ? `${exact(tokens.input)} → ${exact(tokens.output)}` : null],
    ...(kinds.length > 2 ? kinds.map(([kind, count]): [string, ComponentChildren] => [kind, exact(count)]) : []),
    [
      'Cost',
      cost === null ? null : (
        <span title={estimated ? 'By the list prices built in' : costTitle(costs)}>{dollars(cost, estimated)}</span>
      ),
    ],
    [
      'Prompt',
      promptName === null ? null : (
        <a
          href={`/prompts/${encodeURIComponent(promptName)}${promptVersion === null ? '' : `?version=${promptVersion}`}`}
        >
          {promptName}
          {promptVersion !== null && ` v${promptVersion}`}
        </a>
      ),
    ],
    ...Object.entries(detail.modelParameters).map(([key, value]): [string, ComponentChildren] => [
      key,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
    ['Version', detail.version],
    ['Release', detail.release],
  ]
  return (
    <dl class="facts-line">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt> <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

const costTitle = (costs: Readonly<Record<string, number>>): string =>
  Object.entries(costs)
    .map(([kind, usd]) => `${kind} $${usd}`)
    .join(', ')

function Formatted({ detail }: { detail: Detail }) {
  return (
    <div class="detail-body">
      <Half title="Input" value={detail.input} chat={detail.chat.input} />
      <Half title="Output" value={detail.output} chat={detail.chat.output} />
      {Object.keys(detail.metadata).length > 0 && (
        <Section title="Metadata" value={detail.metadata}>
          <Json value={detail.metadata} depth={2} />
        </Section>
      )}
    </div>
  )
}

function Raw({ detail }: { detail: Detail }) {
  const { chat: _, ...known } = detail
  const text = JSON.stringify(known, null, 2)
  return (
    <div class="detail-body">
      <div class="copyable">
        <pre class="raw">{text}</pre>
        <Copy text={text} />
      </div>
    </div>
  )
}
