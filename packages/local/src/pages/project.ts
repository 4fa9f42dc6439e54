import { currentItem } from '../datasets/write-item.ts'
import type { Answer } from '../http/answer.ts'
import type { Call } from '../http/router.ts'
import type { Service } from '../service.ts'
import { content } from './content.ts'
import { html } from './html.ts'
import { page } from './page.ts'

/** Characters of one value that the page shows; the API has the rest. */
const SHOWN = 100_000

/** `GET /project/{projectId}/traces/{traceId}`: the link that the client gives out leads to the page of the trace. */
export function redirectToTrace({ params }: Call): Answer {
  return { status: 302, headers: { location: `/traces/${encodeURIComponent(params.traceId ?? '')}` } }
}

/** `GET /project/{projectId}/datasets/{datasetId}/items/{itemId}`, the link of a report. */
export function showDatasetItem({ params }: Call, { store }: Service): Answer {
  const item = currentItem(params.itemId ?? '', store)
  const back = html`<p><a href="/">All traces</a></p>`
  if (!item) return page('No such item', html`${back}<h1>No such item</h1>`, 404)
  const parts: [string, unknown][] = [
    ['Input', item.input],
    ['Expected output', item.expectedOutput],
    ['Metadata', item.metadata],
  ]
  const values = parts.map(([title, value]) => content(title, value, SHOWN))
  return page(item.id, html`${back}<h1>${item.id}</h1><p class="dim">Dataset ${item.datasetName}</p>${values}`)
}
