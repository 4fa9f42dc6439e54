import type { StoredItem } from '../../store/dataset-item.ts'
import type { DatasetItemMediaReference } from '../media/references.ts'

/** `DatasetItem` (appendix A). */
export function itemShape(item: StoredItem, mediaReferences: readonly DatasetItemMediaReference[]) {
  const { validFrom, deleted, position, createdAt, ...rest } = item
  return {
    ...rest,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(validFrom).toISOString(),
    mediaReferences,
  }
}
