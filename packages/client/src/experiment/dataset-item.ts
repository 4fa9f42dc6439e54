import type { ExperimentItem } from './experiment-types.ts'

/** Returns the ids of a dataset item; undefined for the user's own data, even if that has an `id`. */
export function datasetItemOf({ id, datasetId }: ExperimentItem): { id: string; datasetId: string } | undefined {
  return typeof id === 'string' && typeof datasetId === 'string' ? { id, datasetId } : undefined
}
