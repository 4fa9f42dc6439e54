import { describeLatency, describeTokens } from '../describe.ts'
import type { Answer } from '../http/answer.ts'
import type { Call } from '../http/router.ts'
import type { Service } from '../service.ts'
import { extentOf, totalUsage } from '../summary.ts'
import { type Trace, type TraceObservation, traceOf } from '../trace.ts'
import { type Branch, treeOf } from '../tree.ts'
import { type Html, html } from './html.ts'
import { page } from './page.ts'

/** Characters of a value that the page shows; the API has the rest. */
const SHOWN = 100_000

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
  return page(title, html`${back}<h1>${title}</h1>${facts(trace)}${tree(treeOf(trace.observations))}`)
}

function facts(trace: Trace): Html {
  const extent = extentOf(trace)
  const rows: [string, string | null][] = [
    ['Trace', trace.traceId],
    ['Started', extent.startTime],
    ['Latency', describeLatency(extent)],
    ['Tokens', describeTokens(totalUsage(trace))],
    ['User', trace.userId],
    ['Session', trace.sessionId],
    ['Tags', trace.tags.join(', ')],
    ['Environment', trace.environment],
    ['Public', trace.public ? 'yes' : null],
  ]
  return html`<dl>${rows.map(([term, fact]) => fact && html`<div><dt>${term}</dt><dd>${fact}</dd></div>`)}</dl>`
}

function tree(branches: readonly Branch<TraceObservation>[], className = 'tree'): Html {
  return html`<ul class="${className}">${branches.map(
    ({ node, children }) => html`<li>${observation(node)}${children.length > 0 && tree(children, 'below')}</li>`,
  )}</ul>`
}

function observation(node: TraceObservation): Html {
  const { type, name, model, level } = node
  return html`<details class="observation"><summary><span class="type ${type}">${type}</span><strong>${name}</strong>${
    model && html`<code>${model}</code>`
  }<span class="dim">${describeTokens(node.usage)}</span><span class="dim">${describeLatency(node)}</span>${
    level !== 'DEFAULT' && html`<span class="${level}">${level}</span>`
  }</summary>${content('Input', node.input)}${content('Output', node.output)}${content('Metadata', node.metadata)}</details>`
}

function content(title: string, value: unknown): Html | false {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  if (value === null || text === '{}') return false
  const cut = text.length > SHOWN && html`<p class="dim">${text.length - SHOWN} more characters are not shown here.</p>`
  return html`<h2>${title}</h2><pre>${text.slice(0, SHOWN)}</pre>${cut}`
}
