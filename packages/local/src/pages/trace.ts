import { describeLatency, describeTokens } from '../describe.ts'
import { groupBy } from '../group.ts'
import type { Answer } from '../http/answer.ts'
import type { Call } from '../http/router.ts'
import type { ExperimentItem, StoredObservation } from '../observation.ts'
import type { Service } from '../service.ts'
import type { StoredScore } from '../store/score.ts'
import { extentOf, totalUsage } from '../summary.ts'
import { type Trace, type TraceObservation, traceOf } from '../trace.ts'
import { type Branch, treeOf } from '../tree.ts'
import { content } from './content.ts'
import { type Html, html } from './html.ts'
import { experimentLink, traceLink } from './link.ts'
import { page } from './page.ts'
import { scoreMarks, scoresOfTrace } from './scores.ts'

/** Characters of one value that the page shows, and of all of them together; the API has the rest. */
const SHOWN = 100_000
const SHOWN_IN_ALL = 10_000_000
/** What every value may show of itself, however many there are. */
const SHOWN_AT_LEAST = 1_000

type Shown = TraceObservation &
  Pick<StoredObservation, 'statusMessage' | 'modelParameters'> & { marks: readonly Html[] }

/** `GET /traces/{traceId}`: one trace as a tree. */
export function showTrace({ params }: Call, { store }: Service): Answer {
  const observations = store.trace(params.traceId ?? '')
  const back = html`<p><a href="/">All traces</a></p>`
  if (observations.length === 0) {
    return page(
      'No such trace',
      html`${back}<h1>No such trace</h1><p class="dim">It may not have arrived yet.</p>`,
      404,
    )
  }
  const trace = traceOf(params.traceId ?? '', observations)
  const title = trace.name ?? '(root not arrived)'
  const scores = groupBy(scoresOfTrace(trace.traceId, store), ({ observationId }) => observationId)
  const nodes = shown(trace, observations, scores)
  const experiment = observations.find((observation) => observation.experiment)?.experiment ?? null
  const known = facts(trace, experiment, scoreMarks(scores.get(null) ?? []))
  return page(title, html`${back}<h1>${title}</h1>${known}${tree(treeOf(nodes), limitFor(nodes.length))}`)
}

function shown(
  trace: Trace,
  stored: readonly StoredObservation[],
  scores: ReadonlyMap<string | null, readonly StoredScore[]>,
): Shown[] {
  const byId = new Map(stored.map((observation) => [observation.id, observation]))
  return trace.observations.map((observation) => {
    const { statusMessage = null, modelParameters = {} } = byId.get(observation.id) ?? {}
    return { ...observation, statusMessage, modelParameters, marks: scoreMarks(scores.get(observation.id) ?? []) }
  })
}

function limitFor(observations: number): number {
  return Math.min(SHOWN, Math.max(SHOWN_AT_LEAST, Math.trunc(SHOWN_IN_ALL / observations)))
}

function facts(trace: Trace, experiment: ExperimentItem | null, scores: readonly Html[]): Html {
  const extent = extentOf(trace)
  const rows: [string, string | Html | readonly Html[] | null][] = [
    ['Trace', trace.traceId],
    ['Started', extent.startTime],
    ['Latency', describeLatency(extent)],
    ['Tokens', describeTokens(totalUsage(trace))],
    ['User', traceLink('user', trace.userId)],
    ['Session', traceLink('session', trace.sessionId)],
    ['Tags', trace.tags.join(', ')],
    ['Environment', trace.environment],
    ['Public', trace.public ? 'yes' : null],
    ['Experiment', experiment && html`${experimentLink(experiment)}, item ${experiment.itemId}`],
    ['Scores', scores],
  ]
  const there = rows.filter(([, fact]) => fact !== null && !(Array.isArray(fact) && fact.length === 0) && fact !== '')
  return html`<dl>${there.map(([term, fact]) => html`<div><dt>${term}</dt><dd>${fact}</dd></div>`)}</dl>`
}

function tree(branches: readonly Branch<Shown>[], limit: number, className = 'tree'): Html {
  return html`<ul class="${className}">${branches.map(
    ({ node, children }) =>
      html`<li>${observation(node, limit)}${children.length > 0 && tree(children, limit, 'below')}</li>`,
  )}</ul>`
}

function observation(node: Shown, limit: number): Html {
  const { type, name, model, level, statusMessage } = node
  const tokens = describeTokens(node.usage)
  const parts: [string, unknown][] = [
    ['Model parameters', node.modelParameters],
    ['Input', node.input],
    ['Output', node.output],
    ['Metadata', node.metadata],
  ]
  return html`<details class="observation"><summary><span class="type ${type}">${type}</span><strong>${name}</strong>${
    model && html`<code>${model}</code>`
  }${tokens !== null && html`<span class="dim">${tokens}</span>`}<span class="dim">${describeLatency(node)}</span>${
    node.marks
  }${
    level !== 'DEFAULT' && html`<span class="${level}">${level}</span>`
  }${statusMessage && html`<span class="message">${statusMessage}</span>`}</summary>${parts.map(([title, value]) =>
    content(title, value, limit),
  )}</details>`
}
