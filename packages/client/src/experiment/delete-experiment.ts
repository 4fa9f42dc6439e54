import type { ExperimentItem } from '../api/types/experiments.ts'
import type { ManagerParts } from '../parts.ts'

/** Number of trace ids in one call, as in the service's documentation. */
const CHUNK = 1_000
const PAGE_SIZE = 100
/** Slow for the service, and not called while a user waits. */
const PATIENTLY = { timeoutInSeconds: 60 }

/** The experiment to delete: by id, or by its run name. */
export type ExperimentToDelete = (
  | { readonly id: string; readonly name?: string | undefined }
  | { readonly id?: undefined; readonly name: string }
) & {
  /** The dataset it ran over. Required if runs over several datasets have the same name. */
  readonly datasetId?: string | undefined
  /** A time at or before its start. A later time makes the search faster. Default: search everything. */
  readonly fromStartTime?: Date | string | undefined
}

/** The result of a deletion. */
export interface DeletedExperiment {
  readonly deletedTraces: number
}

/**
 * Deletes an experiment: the traces of its items with their observations and scores. The service has no endpoint for
 * it. Lists all items before it deletes any.
 */
export async function deleteExperiment(
  which: ExperimentToDelete,
  api: Pick<ManagerParts['api'], 'experiments' | 'trace'>,
): Promise<DeletedExperiment> {
  const { id, name, datasetId, fromStartTime = new Date(0) } = which ?? {}
  // Without either, the service would list the items of all experiments.
  if (!isText(id) && !isText(name)) throw new TypeError('svc: experiment.delete needs the id or the name of a run.')
  const request = { experimentId: id, experimentName: name, datasetId, fromStartTime, limit: PAGE_SIZE }
  const traceIds = new Set<string>()
  for await (const item of api.experiments.listItems(request, PATIENTLY))
    if (belongs(item, which)) traceIds.add(item.traceId)
  const all = [...traceIds]
  for (let at = 0; at < all.length; at += CHUNK)
    await api.trace.deleteMultiple({ traceIds: all.slice(at, at + CHUNK) }, PATIENTLY)
  return { deletedTraces: all.length }
}

// A service that does not know a filter ignores it. Deletion cannot be undone, so every item is checked.
function belongs(item: ExperimentItem, { id, name, datasetId }: ExperimentToDelete): boolean {
  return (
    (id === undefined || item.experimentId === id) &&
    (name === undefined || item.experimentName === name) &&
    (datasetId === undefined || item.experimentDatasetId === datasetId)
  )
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
