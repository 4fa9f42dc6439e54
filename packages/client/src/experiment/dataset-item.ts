import type { ExperimentItem } from './experiment-types.ts'

/** Which item of which dataset this is; undefined for data of one's own, whatever id that has. */
export function datasetItemOf({ id, datasetId }: ExperimentItem): { id: string; datasetId: string } | undefined {
  return typeof id === 'string' && typeof datasetId === 'string' ? { id, datasetId } : undefined
}
