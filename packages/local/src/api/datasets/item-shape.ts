import type { StoredItem } from '../../store/dataset-item.ts'
import { isoDate } from '../known.ts'
import type { DatasetItemMediaReference } from '../media/references.ts'

/** `DatasetItem` (appendix A). */
export function itemShape(item: StoredItem, mediaReferences: readonly DatasetItemMediaReference[]) {
  const { validFrom, deleted, position, createdAt, ...rest } = item
  return {
    ...rest,
    createdAt: isoDate(createdAt),
    updatedAt: isoDate(validFrom),
    mediaReferences,
  }
}
