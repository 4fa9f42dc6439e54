import type { Answer } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { Service } from '../../service.ts'
import { currentItem } from '../../store/dataset-item.ts'
import { showViewer } from './files.ts'

/** `GET /project/{projectId}/traces/{traceId}`: the link that the client gives out leads to the page of the trace. */
export function redirectToTrace({ params }: Call): Answer {
  return redirect(`/traces/${encodeURIComponent(params.traceId ?? '')}`)
}

/** `GET /project/{projectId}/experiments/results?baseline={id}` */
export function redirectToExperiment({ query }: Call): Answer {
  return redirect(`/experiments/${encodeURIComponent(query.get('baseline') ?? '')}`)
}

/** `GET /project/{projectId}/datasets/{datasetId}/items/{itemId}`, the link of a report. */
export function redirectToItem({ params }: Call, { store }: Service): Answer {
  const item = currentItem(params.itemId ?? '', store)
  if (!item) return { ...showViewer(), status: 404 }
  return redirect(`/datasets/${encodeURIComponent(item.datasetName)}?item=${encodeURIComponent(item.id)}`)
}

const redirect = (location: string): Answer => ({ status: 302, headers: { location } })
