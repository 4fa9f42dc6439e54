import { log } from '@svc/core/log'
import { DatasetStatus } from '../api/types/dataset-items.ts'
import { datasetItemOf } from './dataset-item.ts'

/** An option of a run over items of a dataset. */
export interface ArchivedItems {
  /** Run archived items, too. Default: they are left out, which a line in the log says. */
  readonly includeArchived?: boolean | undefined
}

/** Returns the items of a dataset on which a task runs. */
export function activeItems<Item extends object>(
  items: readonly Item[],
  { includeArchived }: ArchivedItems,
): readonly Item[] {
  const active = items.filter(
    (item) => !(datasetItemOf(item) && Reflect.get(item, 'status') === DatasetStatus.Archived),
  )
  if (includeArchived === true || active.length === items.length) return items
  const left = items.length - active.length
  log.info(`${left} archived of ${items.length} items are left out of the run: includeArchived: true takes them.`)
  return active
}
