import type { StoredDataset } from '../../store/dataset.ts'
import { PROJECT } from '../about.ts'

/** `Dataset` (appendix A). */
export function datasetShape({ createdAt, updatedAt, ...dataset }: StoredDataset) {
  return {
    ...dataset,
    projectId: PROJECT.id,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}
