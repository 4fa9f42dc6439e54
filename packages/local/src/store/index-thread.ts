import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { log, messageOf } from '@svc/core/log'

/** As this file: of the sources in `src`, of the build in `dist`. */
const PROGRAM = new URL(`index-worker${extname(import.meta.url)}`, import.meta.url)

export interface IndexWork {
  readonly file: string
  /** Each makes an index. */
  readonly statements: readonly string[]
}

/**
 * Makes the indexes of a database file on a thread of their own, one after the other. Writes of other connections wait
 * for one of them at a time. @returns what stops it.
 */
export function makeIndexes(work: IndexWork): () => Promise<unknown> {
  const worker = new Worker(PROGRAM, { workerData: work })
  worker.unref()
  worker.on('error', (error) => {
    log.warn(`some indexes of ${work.file} are not there, so reads of it are slow: ${messageOf(error)}`)
  })
  return () => worker.terminate()
}
