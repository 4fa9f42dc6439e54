import type { ComponentChildren } from 'preact'
import type { TraceOutline } from '../../../src/trace/pages/trace.ts'
import type { ScoreMark } from '../../../src/trace/pages/trace-list.ts'
import { AddToDataset } from '../add-to-dataset.tsx'
import { Copy } from '../empty.tsx'
import { dollars, duration, exact } from '../format.ts'
import { lastList } from '../router.ts'
import { AddScore, ScoreMarks } from '../scores.tsx'
import { Time } from '../time.tsx'

interface HeadProps {
  readonly outline: TraceOutline
  readonly marks: readonly ScoreMark[]
  readonly notice: string | undefined
  readonly onCompare: () => void
  readonly onNotice: (notice: string) => void
}

/** What is known of the trace as a whole. */
export function Head({ outline: { trace, experiment, linked }, marks, notice, onCompare, onNotice }: HeadProps) {
  const { traceId, name, userId, sessionId, errors, warnings } = trace
  return (
    <header class="trace-head">
      <div class="title">
        <a href={lastList.url} class="dim">
          Traces
        </a>
        <span class="dim">/</span>
        <h1 class="cut">{name ?? 'no root yet'}</h1>
        {trace.open && <span class="badge running">running</span>}
        {errors > 0 && <span class="badge ERROR">{errors === 1 ? '1 error' : `${errors} errors`}</span>}
        {warnings > 0 && <span class="badge WARNING">{warnings === 1 ? '1 warning' : `${warnings} warnings`}</span>}
        {trace.tags.map((tag) => (
          <a key={tag} class="badge" href={`/?tag=${encodeURIComponent(tag)}`}>
            {tag}
          </a>
        ))}
        <ScoreMarks scores={marks} />
        <span class="space" />
        {notice !== undefined && (
          <span class="dim" role="status">
            {notice}
          </span>
        )}
        <AddScore about={{ traceId }} />
        <AddToDataset sources={[{ traceId }]} onAdded={onNotice} />
        <button type="button" class="quiet" onClick={onCompare}>
          Compare
        </button>
        <Copy text={traceId} label="Copy id" />
        <a class="button" href={`/viewer/traces/${encodeURIComponent(traceId)}/export`} download>
          Download
        </a>
      </div>
      <dl class="facts-line">
        <Fact name="Started">
          <Time micros={trace.startTime} />
        </Fact>
        <Fact name="Latency">{duration(trace.endTime - trace.startTime)}</Fact>
        {trace.totalTokens > 0 && (
          <Fact name="Tokens">
            {exact(trace.inputTokens)} → {exact(trace.outputTokens)}
          </Fact>
        )}
        {trace.cost !== null && <Fact name="Cost">{dollars(trace.cost, trace.estimated)}</Fact>}
        <Fact name="Steps">{exact(trace.observations)}</Fact>
        {userId !== null && (
          <Fact name="User">
            <a href={`/?user=${encodeURIComponent(userId)}`}>{userId}</a>
          </Fact>
        )}
        {sessionId !== null && (
          <Fact name="Session">
            <a href={`/sessions/${encodeURIComponent(sessionId)}`}>{sessionId}</a>
          </Fact>
        )}
        {linked.map((link) => (
          <Fact key={link.spanId} name="Linked to">
            <a href={`/traces/${encodeURIComponent(link.traceId)}?observation=${encodeURIComponent(link.spanId)}`}>
              trace {link.traceId.slice(0, 8)}
            </a>
          </Fact>
        ))}
        <Fact name="Environment">{trace.environment}</Fact>
        {experiment && (
          <Fact name="Experiment">
            <a href={`/experiments/${encodeURIComponent(experiment.id)}`}>{experiment.name}</a>, item{' '}
            {experiment.itemId}
          </Fact>
        )}
      </dl>
    </header>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt> <dd>{children}</dd>
    </div>
  )
}
