import type { StoredDataset } from '../../store/dataset.ts'
import { PROJECT } from '../about.ts'
import { isoDate } from '../known.ts'

/** `Dataset` (appendix A). */
export function datasetShape({ createdAt, updatedAt, ...dataset }: StoredDataset) {
  return {
    ...dataset,
    projectId: PROJECT.id,
    createdAt: isoDate(createdAt),
    updatedAt: isoDate(updatedAt),
  }
}
