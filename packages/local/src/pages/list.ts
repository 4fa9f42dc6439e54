import { describeLatency, describeTokens } from '../describe.ts'
import type { Answer } from '../http/answer.ts'
import type { Call } from '../http/router.ts'
import type { Service } from '../service.ts'
import { extentOf, totalUsage, worstLevel } from '../summary.ts'
import { type Trace, traceOf } from '../trace.ts'
import { type Html, html } from './html.ts'
import { NARROWINGS, traceLink } from './link.ts'
import { page } from './page.ts'

const PER_PAGE = 50
const LAST_PAGE = 1_000_000

/** `GET /`: the traces, newest first. */
export function showTraces({ query, headers }: Call, service: Service): Answer {
  const at = Math.min(Math.max(1, Math.trunc(Number(query.get('page'))) || 1), LAST_PAGE)
  const narrowing = NARROWINGS.find(({ parameter }) => query.get(parameter))
  const id = query.get(narrowing?.parameter ?? '') ?? ''
  const of = narrowing && { column: narrowing.column, value: id }
  const ids = service.store.traceIds({ limit: PER_PAGE + 1, offset: (at - 1) * PER_PAGE, of })
  const traces = ids.slice(0, PER_PAGE).map((id) => outline(id, service))
  const to = (page: number) => `/?${narrowing ? `${narrowing.parameter}=${encodeURIComponent(id)}&` : ''}page=${page}`
  const newer = at > 1 && html`<a href="${to(at - 1)}">Newer</a>`
  const older = ids.length > PER_PAGE && html`<a href="${to(at + 1)}">Older</a>`
  const title = narrowing ? `Traces of ${narrowing.called} ${id}` : 'Traces'
  const found = traces.length > 0 ? table(traces) : nothing(at > 1 || !!narrowing, headers.host, service)
  const back = narrowing && html`<p><a href="/">All traces</a></p>`
  return page(title, html`${back}<h1>${title}</h1>${found}<nav>${newer}${older}</nav>`)
}

// The default secret key is no secret. Another one is not for a page that anybody on this machine can open.
function nothing(more: boolean, host: string | undefined, { keys, knownKeys }: Service): Html {
  if (more) return html`<p class="dim">There are no more traces.</p>`
  const lines = [
    `export SVC_PUBLIC_KEY=${keys.publicKey}`,
    `export SVC_SECRET_KEY=${knownKeys ? keys.secretKey : '(the one it was started with)'}`,
    `export SVC_BASE_URL=http://${host}`,
    'node --import @svc/register app.js',
  ]
  return html`<p>Nothing has arrived here yet. Point an application at this service, and reload:</p>
<pre>${lines.join('\n')}</pre>`
}

// The list shows no content: decoding it would be most of the work.
function outline(id: string, { store }: Service): Trace {
  const content = { input: null, output: null }
  return traceOf(
    id,
    store.trace(id).map((observation) => ({ ...observation, ...content })),
  )
}

function table(traces: readonly Trace[]): Html {
  return html`<table>
<thead><tr><th>Name</th><th>Level</th><th>Time (UTC)</th><th>User</th><th>Session</th><th class="number">Observations</th><th class="number">Latency</th><th class="number">Tokens</th></tr></thead>
<tbody>${traces.map(row)}</tbody>
</table>`
}

function row(trace: Trace): Html {
  const extent = extentOf(trace)
  const level = worstLevel(trace)
  return html`
<tr>
<td><a class="cell" href="/traces/${trace.traceId}">${trace.name ?? '(root not arrived)'}</a></td>
<td>${level !== 'DEFAULT' && html`<span class="${level}">${level}</span>`}</td>
<td><time datetime="${extent.startTime}">${extent.startTime.replace('T', ' ').slice(0, 19)}</time></td>
<td><span class="cell">${traceLink('user', trace.userId)}</span></td>
<td><span class="cell">${traceLink('session', trace.sessionId)}</span></td>
<td class="number">${trace.observations.length}</td>
<td class="number">${describeLatency(extent)}</td>
<td class="number">${describeTokens(totalUsage(trace))}</td>
</tr>`
}
