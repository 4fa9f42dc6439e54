import { log } from '@svc/core/log'
import { BackgroundTask } from './background-task.ts'
import { makeIndexes } from './store/index-thread.ts'
import type { Store } from './store/store.ts'

/**
 * Does what a large database of an earlier version still needs, while the service runs.
 *
 * @returns what stops it; the next start goes on from there.
 */
export function finishUpgrade(store: Store, file: string | undefined): () => Promise<unknown> {
  const outlines = new BackgroundTask(() => store.upgrade(), 'the traces of an earlier version are not listed')
  outlines.wake()
  if (file === undefined || store.missingIndexes.length === 0) return async () => outlines.close()
  log.info(
    `${file} gets ${store.missingIndexes.length} indexes that it lacks. Until then spans are accepted, and pages are slower.`,
  )
  const stop = makeIndexes({ file, statements: store.missingIndexes })
  return () => {
    outlines.close()
    return stop()
  }
}
