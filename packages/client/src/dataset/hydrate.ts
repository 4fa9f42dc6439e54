import { log, messageOf } from '@svc/core/log'
import type { DatasetItem, DatasetItemMediaReference } from '../api/types/dataset-items.ts'
import { SvcMediaReference } from '../media/svc-media-reference.ts'
import { withValueAt } from './json-path.ts'

const FIELDS = ['input', 'expectedOutput', 'metadata'] as const

/**
 * Returns an item with its media references replaced by `SvcMediaReference`s. References that cannot be resolved are
 * logged and stay text.
 */
export function hydrated(item: DatasetItem): DatasetItem {
  return (item.mediaReferences ?? []).reduce(withReference, item)
}

function withReference(item: DatasetItem, reference: DatasetItemMediaReference): DatasetItem {
  try {
    const field = FIELDS.find((each) => each === reference.field)
    if (!field) throw new Error(`${reference.field} is not a field of an item`)
    return { ...item, [field]: withValueAt(item[field], reference.jsonPath, referenceOf(reference)) }
  } catch (error) {
    log.warn(`a media reference of dataset item "${item.id}" is left as text: ${messageOf(error)}`)
    return item
  }
}

function referenceOf({ referenceString, media }: DatasetItemMediaReference): SvcMediaReference {
  const { mediaId, contentType, contentLength, url, urlExpiry } = media
  return new SvcMediaReference({ mediaId, contentType, contentLength, url, urlExpiry, referenceString })
}
