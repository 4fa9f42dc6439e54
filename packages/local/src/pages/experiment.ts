import { describeLatency } from '../describe.ts'
import { experimentWithId } from '../experiments/list.ts'
import type { Answer } from '../http/answer.ts'
import type { Call } from '../http/router.ts'
import type { Service } from '../service.ts'
import type { SavedObservation } from '../store/columns.ts'
import type { Store } from '../store/store.ts'
import { isoTime } from '../trace.ts'
import { type Html, html } from './html.ts'
import { page } from './page.ts'
import { scoreMarks, scoresOfTrace } from './scores.ts'

/** Items that the page shows, and characters of one value; the API has the rest. */
const SHOWN_ITEMS = 200
const SHOWN_TEXT = 500

/** `GET /project/{projectId}/experiments/results?baseline={id}`: one experiment with its items and scores. */
export function showExperiment({ query }: Call, { store }: Service): Answer {
  const id = query.get('baseline') ?? ''
  const experiment = experimentWithId(id, store)
  const back = html`<p><a href="/">All traces</a></p>`
  if (!experiment) {
    const hint = html`<p class="dim">Its spans may not have arrived yet.</p>`
    return page('No such experiment', html`${back}<h1>No such experiment</h1>${hint}`, 404)
  }
  const { name, description, itemCount } = experiment
  const scores = store.scores.find({ sql: 'WHERE datasetRunId = ? ORDER BY timestamp, seq LIMIT 100', values: [id] })
  const items = store.observations({
    sql: `WHERE experiment IS NOT NULL AND json_extract(experiment, '$.id') = ? ORDER BY startTime, seq LIMIT ?`,
    values: [id, SHOWN_ITEMS],
  })
  const more = itemCount > items.length && html`<p class="dim">${itemCount - items.length} more items.</p>`
  const run = scores.length > 0 && html`<p>Scores ${scoreMarks(scores)}</p>`
  const facts = html`<p class="dim">${itemCount} ${itemCount === 1 ? 'item' : 'items'} ${description}</p>`
  return page(name, html`${back}<h1>${name}</h1>${facts}${run}${table(items, store)}${more}`)
}

function table(items: readonly SavedObservation[], store: Store): Html {
  return html`<table>
<thead><tr><th>Item</th><th>Input</th><th>Output</th><th>Expected</th><th>Scores</th><th class="number">Latency</th></tr></thead>
<tbody>${items.map((item) => row(item, store))}</tbody>
</table>`
}

function row(item: SavedObservation, store: Store): Html {
  const { traceId, startTime, endTime, level, experiment } = item
  const latency = describeLatency({ startTime: isoTime(startTime), endTime: isoTime(endTime) })
  const failed = level !== 'DEFAULT' && html` <span class="${level}">${level}</span>`
  return html`
<tr>
<td><a class="cell" href="/traces/${traceId}">${experiment?.itemId}</a>${failed}</td>
<td><span class="cell">${short(item.input)}</span></td>
<td><span class="cell">${short(item.output)}</span></td>
<td><span class="cell">${short(experiment?.expectedOutput ?? null)}</span></td>
<td>${scoreMarks(scoresOfTrace(traceId, store))}</td>
<td class="number">${latency}</td>
</tr>`
}

function short(value: unknown): string | null {
  if (value === null) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > SHOWN_TEXT ? `${text.slice(0, SHOWN_TEXT)}…` : text
}
